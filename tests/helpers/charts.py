"""Figures of the pages as the browser gets them, read without a browser."""

import json
import re

import plotly.graph_objects as go

CHART = "privbo_ui_chart"


def strict(text):
    """Return what a JSON text holds. NaN and Infinity, which a browser can't read, are refused."""

    def refuse(name):
        raise ValueError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


def accepted(figure):
    """Return a figure as Plotly reads it. It raises on a property or a value that it doesn't know."""
    drawn = strict(re.sub(r'"pb:[a-z-]+(@[0-9.]+)?"', '"#123456"', figure.to_json()))
    return go.Figure({"data": drawn["data"], "layout": drawn["layout"]})


def charts(app):
    """Return each figure on a page as it was drawn last, by its name."""
    found = [each.proto for each in app.get("bidi_component") if each.proto.component_name.endswith(CHART)]
    drawn = sorted((strict(each.json) for each in found), key=lambda data: data["version"])
    return {data["slot"]: {**strict(data["figure"]), "alt": data["alt"]} for data in drawn}


def traces(chart):
    """Return the curves and points of a figure by their names."""
    return {trace["name"]: trace for trace in chart["data"] if "name" in trace}


def handles(chart):
    """Return the dots of a figure that can be dragged, by the slider that they set."""
    return {handle["slider"]: handle for handle in chart["handles"]}
