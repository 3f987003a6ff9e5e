"""Calibration: reproducible matches, stored curves, and their plot."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from click.testing import CliRunner

from domain.analysis.fitting import Sample, log_loss, predict
from domain.engine.resources.win_probability import Calibration
from domain.games import GAMES
from workers.tools.bots.calibrate import (
    MAX_SNAPSHOTS,
    Task,
    calibrate,
    encode_calibration,
    play,
    plot,
)

FITTED_MATCHES = pytest.mark.parametrize(
    "game",
    [game for game in GAMES.values() if game.resources.calibration.seats],
    ids=lambda game: game.key,
)
FRESH = 10
"""Matches of a seed by which no curve was fitted."""


def run(folder: Path, *more: str) -> tuple[str, str]:
    """Calibrate the quickest game in a folder: the curves, and the plot."""
    out, picture = folder / "chances.json", folder / "plot.svg"
    words = ["chang_cheng", "--out", str(out), "--picture", str(picture), *more]
    said = CliRunner().invoke(calibrate, words)
    assert said.exit_code == 0, said.output
    return out.read_text(), picture.read_text()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_curves(tmp_path):
    kept = str(tmp_path / "samples.ndjson")
    once = run(tmp_path, "--matches", "3", "--processes", "2")
    run(tmp_path, "--matches", "2", "--processes", "1", "--samples", kept)
    run(tmp_path, "--matches", "2", "--processes", "1", "--samples", kept, "--seed", "2")
    assert run(tmp_path, "--matches", "3", "--processes", "1", "--samples", kept) == once
    samples = [
        msgspec.json.decode(line, type=Sample) for line in Path(kept).read_bytes().splitlines()
    ]
    assert len(samples) == 3 * (3 + 2), "what was there was not played again"
    told = msgspec.json.decode(once[0], type=Calibration)
    assert told.command == "annals calibrate chang_cheng --matches 3 --seed 1"
    assert told.rules == GAMES["chang_cheng"].rules
    assert {seats: curve.matches for seats, curve in told.seats.items()} == {2: 3, 3: 3, 4: 3}
    words = "".join(ElementTree.fromstring(once[1]).itertext())
    assert all(f"{seats} seats" in words for seats in told.seats)


def test_a_sample_starts_with_the_first_decision():
    sample = play("chang_cheng", 1, Task("", 3, 0))
    assert sample == play("chang_cheng", 1, Task("", 3, 0))
    assert sample != play("chang_cheng", 2, Task("", 3, 0))
    assert len(sample.snapshots) == MAX_SNAPSHOTS
    assert sample.snapshots[0].decided == 0
    assert sample.decisions > sample.snapshots[-1].decided
    assert sum(sample.shares) == pytest.approx(1)


@FITTED_MATCHES
def test_the_stored_curves_are_those_of_the_command(game):
    root = Path(__file__).resolve().parents[3]
    data = root / "domain" / "games" / game.key / "data" / "chances.json"
    assert data.read_text().rstrip() == encode_calibration(game.resources.calibration)
    picture = root / "docs" / "pictures" / f"chances_{game.key}.svg"
    assert picture.read_text().rstrip() == plot(game.title, game.resources.calibration).rstrip()


@FITTED_MATCHES
@pytest.mark.long
def test_the_curve_holds_for_other_matches(game):
    curves = game.resources.calibration.by_mode.items()
    for mode, seats, curve in ((m, *one) for m, counts in curves for one in counts.items()):
        samples = [play(game.key, 99, Task(mode, seats, number)) for number in range(FRESH)]
        told = list(predict(curve, samples))
        assert curve.uniform_log_loss
        assert log_loss(told) < 0.95 * curve.uniform_log_loss
        favourites = [max(zip(one.chances, one.shares, strict=True)) for one in told]
        said, was = (sum(column) / len(favourites) for column in zip(*favourites, strict=True))
        assert was == pytest.approx(said, abs=0.2)
