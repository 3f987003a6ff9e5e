"""Charts: numbers as data, drawn as SVG and written as Vega-Lite."""
