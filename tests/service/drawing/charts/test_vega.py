"""Charts as Vega-Lite, checked against the parts of its schema that they use."""

from __future__ import annotations

import json

import pytest

from service.drawing.charts.vega import SCHEMA, to_vega_lite
from tests.service.drawing.charts.examples import CHARTS

KINDS = ("bars", "points", "lines")
CHANNELS = {"x", "y", "x2", "y2", "xOffset", "yOffset", "color", "shape", "strokeDash"}
FIELD = {"field", "type", "title", "sort", "scale", "legend"}


@pytest.fixture(params=[(name, kind) for name in CHARTS for kind in KINDS], ids=str)
def specification(request):
    name, kind = request.param
    return CHARTS[name], kind, to_vega_lite(CHARTS[name], kind)


def test_it_is_a_specification_of_version_6_with_its_data(specification):
    chart, _, found = specification
    assert found["$schema"] == SCHEMA == "https://vega.github.io/schema/vega-lite/v6.json"
    assert found.keys() == {"$schema", "title", "data", "width", "layer"}
    assert found["title"] == chart.title
    assert len(found["data"]["values"]) == len(chart.marks)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_layers_are_built_as_the_schema_wants(specification):
    for layer in specification[2]["layer"]:
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


def test_fields_are_in_the_data(specification):
    _, _, found = specification
    used = {
        what["field"]
        for layer in found["layer"]
        for what in layer["encoding"].values()
        if "field" in what
    }
    assert used <= {"label", "value", "low", "high", "series"}
    assert all(used <= row.keys() for row in found["data"]["values"])


def test_intervals_and_the_baseline_are_layers_where_there_are_any(specification):
    chart, _, found = specification
    intervals = [one for one in found["layer"] if {"x2", "y2"} & one["encoding"].keys()]
    lines = [one for one in found["layer"] if any("datum" in x for x in one["encoding"].values())]
    assert len(intervals) == any(mark.low is not None for mark in chart.marks)
    assert len(lines) == (chart.baseline is not None)


@pytest.mark.parametrize("kind", KINDS)
def test_bars_begin_at_zero(kind):
    layer = to_vega_lite(CHARTS["one"], kind)["layer"][0]
    value = next(x for x in layer["encoding"].values() if x.get("field") == "value")
    assert value["scale"] == {"zero": kind == "bars"}
