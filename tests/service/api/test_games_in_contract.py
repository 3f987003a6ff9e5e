"""The contract describes the records of the games and of the match as the code has them, in the
form that `make contract` gives its files.
"""

from __future__ import annotations

import pytest

from domain.games import GAMES
from service.http.contract import FOLDER, PARTS, read_files, read_main
from service.http.yaml_style import to_yaml
from tests.service.api.games_in_contract import compare_or_write, generate_files
from tests.service.api.webhooks_in_contract import webhook_items


@pytest.mark.slow
def test_the_contract_has_the_records_of_the_code(update_contract: bool) -> None:
    files = generate_files(GAMES)
    compare_or_write("openapi", files, "the records in the code", update_contract)


def test_the_core_has_the_form_of_the_other_files_and_all_webhooks(update_contract: bool) -> None:
    main = {**read_main(), "webhooks": webhook_items()}
    parts = {f"{PARTS}/{name}.yaml": part for name, part in read_files(PARTS).items()}
    for name, content in {"openapi.yaml": main, **parts}.items():
        path, text = FOLDER / name, to_yaml(content)
        if update_contract:
            path.write_text(text, encoding="utf-8")
        else:
            assert path.read_text(encoding="utf-8") == text, "`make contract` writes it anew"
