"""The picture of the Simple page of Reproduce: a bar for each table and figure, stacked by what came out."""

from pages.parts.reproduce.plain.tally import KINDS, Kind, Tally
from pages.parts.values.palette import MET, NON_PRIVATE, PAPER, RANDOM, REFUTED, Colour
from pages.parts.values.picture import Picture

LOOKS: dict[Kind, tuple[str, Colour, str]] = {
    "agrees": ("comes out", MET, ""),
    "near": ("nearly", MET, "/"),
    "not clear": ("not clear", RANDOM, "."),
    "apart": ("otherwise", REFUTED, "x"),
    "other data": ("on other data", NON_PRIVATE.faded(0.12), ""),
}
"""Of each kind: its words, its colour, its pattern."""
LETTERS = 27
"""Of a table's or figure's name, so that bars have room on a phone; the whole name is where the mouse is."""
BAR, AROUND = 19, 56
"""Pixels for each bar, and around all of them."""


def short(name: str) -> str:
    """Return a name that has room beside its bar: a long one by its beginning and its end."""
    if len(name) <= LETTERS:
        return name
    words = name.split()
    return f"{words[0]} … {' '.join(words[-2:])}"


def stacked(found: tuple[Tally, ...]) -> Picture:
    """Draw how many numbers and statements of each table and figure came out how."""
    picture = Picture(
        height=AROUND + BAR * len(found), barmode="stack", bargap=0.25, margin={"l": 168, "r": 12, "t": 12, "b": 40}, showlegend=True,
legend={"x": 1, "xanchor": "right", "y": 0, "yanchor": "bottom", "traceorder": "normal", "bgcolor": PAPER},
    )  # fmt: skip
    places, names = list(range(len(found))), [each.name for each in found]
    for kind in KINDS:
        words, colour, pattern = LOOKS[kind]
        picture.add(
            "bar", orientation="h", y=places, customdata=names, x=[each.counts[kind] for each in found], name=words,
            marker={"color": colour, "line": {"width": 0.5, "color": PAPER},
                    "pattern": {"shape": pattern, "fgcolor": colour, "bgcolor": colour.faded(0.3), "size": 6}},
            hovertemplate=f"%{{customdata}}: %{{x}} {words}",
        )  # fmt: skip
    picture.axis("xaxis", "numbers and statements")
    picture.axis(
        "yaxis",
        range=[len(found) - 0.4, -0.6],
        tickvals=places,
        ticktext=[short(name) for name in names],
        showgrid=False,
        tickfont={"size": 12},
    )
    return picture
