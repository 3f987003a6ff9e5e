"""Charts as Vega-Lite, checked against the parts of its schema that they use."""

from __future__ import annotations

import json

import pytest

from service.drawing.charts.vega import SCHEMA, to_vega_lite
from tests.service.drawing.charts.examples import CHARTS

KINDS = ("bars", "points", "lines")
CHANNELS = {"x", "y", "x2", "y2", "xOffset", "yOffset", "color", "shape", "strokeDash"}
FIELD = {"field", "type", "title", "sort", "scale", "legend"}


@pytest.fixture(params=KINDS)
def specifications(request):
    """Each chart of the examples, with its specification as one kind."""
    return [(chart, to_vega_lite(chart, request.param)) for chart in CHARTS.values()]


def test_it_is_a_specification_of_version_6_with_its_data(specifications):
    for chart, found in specifications:
        assert found["$schema"] == SCHEMA == "https://vega.github.io/schema/vega-lite/v6.json"
        assert found.keys() == {"$schema", "title", "data", "width", "layer"}
        assert found["title"] == chart.title
        assert len(found["data"]["values"]) == len(chart.marks)
        assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_layers_are_built_as_the_schema_wants(specifications):
    for layer in (layer for _, found in specifications for layer in found["layer"]):
        assert layer.keys() <= {"mark", "encoding", "transform"}
        assert layer["mark"]["type"] in {"bar", "point", "line", "area", "rule"}
        assert layer["encoding"].keys() <= CHANNELS
        for channel, what in layer["encoding"].items():
            if "datum" in what:
                assert what.keys() == {"datum", "type"}
            elif channel in ("x2", "y2"):  # take their type from x and y
                assert what == {"field": "high"}
            else:
                assert what.keys() <= FIELD
                assert what["type"] in {"nominal", "quantitative"}


def test_fields_are_in_the_data(specifications):
    for chart, found in specifications:
        used = {
            what["field"]
            for layer in found["layer"]
            for what in layer["encoding"].values()
            if "field" in what
        }
        assert used <= {"label", "value", "low", "high", "series"}, chart.title
        assert all(used <= row.keys() for row in found["data"]["values"]), chart.title


def test_intervals_and_the_baseline_are_layers_where_there_are_any(specifications):
    for chart, found in specifications:
        encodings = [one["encoding"] for one in found["layer"]]
        intervals = [one for one in encodings if {"x2", "y2"} & one.keys()]
        lines = [one for one in encodings if any("datum" in x for x in one.values())]
        assert len(intervals) == any(mark.low is not None for mark in chart.marks), chart.title
        assert len(lines) == (chart.baseline is not None), chart.title


@pytest.mark.parametrize("kind", KINDS)
def test_bars_begin_at_zero(kind):
    layer = to_vega_lite(CHARTS["one"], kind)["layer"][0]
    value = next(x for x in layer["encoding"].values() if x.get("field") == "value")
    assert value["scale"] == {"zero": kind == "bars"}
