"""Builds the fonts for Chinese, as `service/drawing/fonts/README.md` describes."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
FONTS = ROOT / "service/drawing/fonts"
NOTO = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
FACES = {"zh-Hans": 2, "zh-Hant": 3}
"""The index of each language's face in the collection."""
LESS = ("--layout-features=", "--no-hinting", "--drop-tables+=vhea,vmtx,VORG,BASE")


def letters(language: str) -> str:
    """All characters besides ASCII of our texts and rule books in a language."""
    names = (f"texts/{language}.json", f"RULES.{language}.md")
    files = [file for part in ("domain", "service") for file in (ROOT / part).rglob("*.*")]
    texts = [file.read_text(encoding="utf-8") for file in files if str(file).endswith(names)]
    return "".join(sorted({one for text in texts for one in text if not one.isascii()}))


def main() -> None:
    """Write a font for each Chinese script."""
    for language, face in FACES.items():
        font = FONTS / f"NotoSansCJK.{language}.otf"
        told = (f"--text={letters(language)}", f"--font-number={face}", f"--output-file={font}")
        subprocess.run(["pyftsubset", NOTO, *told, *LESS], check=True)
        print(f"{font.name}: {len(letters(language))} letters, {font.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
