"""Charts as Vega-Lite v6: a specification that includes its data."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from service.drawing.charts.chart import Chart, Kind

Json = dict[str, Any]
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
MEDIA_TYPE = "application/vnd.vegalite.v6+json"
_LABELS = {"type": "nominal", "sort": None}  # in the order of the data
_SERIES = {"field": "series", "title": None, **_LABELS}


def to_vega_lite(chart: Chart, kind: Kind) -> Json:
    """Return a chart as a specification; intervals and baseline are layers."""
    along, up = ("x", "y") if kind == "lines" else ("y", "x")
    grouped = chart.series not in ([], [""])
    shared: Json = {along: {"field": "label", "title": chart.x, **_LABELS}}
    if grouped and kind != "lines":
        shared[f"{along}Offset"] = {"field": "series", **_LABELS}
    title = f"{chart.y} ({chart.sign})" if chart.sign else chart.y
    value: Json = {"field": "value", "type": "quantitative", "title": title}
    value["scale"] = {"zero": kind == "bars"}
    layers = [_value_layer(kind, up, value, grouped)]
    if any(mark.low is not None and mark.high is not None for mark in chart.marks):
        interval = _interval_layer(kind, up, value, grouped)
        layers = [interval, *layers] if kind == "lines" else [*layers, interval]
    for layer in layers:
        layer["encoding"] = {**shared, **layer["encoding"]}
    return {
        "$schema": SCHEMA,
        "title": chart.title,
        "data": {"values": [asdict(mark) for mark in chart.marks]},
        "width": 480,
        "layer": layers + _baseline_layer(chart, up),
    }


def _value_layer(kind: Kind, up: str, value: Json, grouped: bool) -> Json:
    """Return the marks themselves, with all their data as tooltips."""
    mark = {"bars": "bar", "points": "point", "lines": "line"}[kind]
    look: Json = {"type": mark, "tooltip": {"content": "data"}}
    if kind == "lines":
        look["point"] = True
    if kind == "points":
        look |= {"filled": True, "size": 60}
    encoding = {up: value}
    if grouped:
        encoding["color"] = _SERIES
        if kind == "points":
            encoding["shape"] = _SERIES
        if kind == "lines":
            encoding["strokeDash"] = {**_SERIES, "legend": None}  # dots could not show it
    return {"mark": look, "encoding": encoding}


def _interval_layer(kind: Kind, up: str, value: Json, grouped: bool) -> Json:
    """From the lower to the upper end, where a mark has both."""
    mark: Json = {"type": "area", "opacity": 0.2} if kind == "lines" else {"type": "rule"}
    if kind == "bars":
        mark["color"] = "black"
    coloured = {"color": _SERIES} if grouped and kind != "bars" else {}
    return {
        "transform": [{"filter": "datum.low !== null && datum.high !== null"}],
        "mark": mark,
        "encoding": {up: {**value, "field": "low"}, f"{up}2": {"field": "high"}, **coloured},
    }


def _baseline_layer(chart: Chart, up: str) -> list[Json]:
    if chart.baseline is None:
        return []
    mark = {"type": "rule", "strokeDash": [5, 3]}
    return [{"mark": mark, "encoding": {up: {"datum": chart.baseline, "type": "quantitative"}}}]
