"""Where an ε stands among registered ones: the numbers are the registry’s, the sentence says that units differ."""

import hashlib
import re

import pytest

from pages.parts.live.others import ROWS, others_figure
from privbo_core.about import SAMPLE_DATA
from privbo_core.privacy import Guarantee, Status, registry
from tests.helpers.numbers import numbers, tells
from tests.helpers.reading import plotly_takes

TEXT = (SAMPLE_DATA / "deployments.csv").read_text(encoding="utf-8")
DIGEST = "8c17cc0fc2c637b8a3bef79aa93ca1087b5ee2fee088a3d61cd827958d372680"


def promise(epsilon, status=Status.PROVED):
    return Guarantee("an agent’s participation: all of it", "b", "c", epsilon, 1e-5, (), status, "d")


def test_the_file_is_what_was_taken_from_the_registry_and_says_so():
    source, _, rows = TEXT.partition("\n")
    assert re.search(r"OpenDP, NIST\), as of \d+ \w+ 20\d\d\. MIT licence\.$", source)
    # The records of the registry's copy of that day, as sample_data/make_deployments.py writes them.
    assert hashlib.sha256(rows.encode()).hexdigest() == DIGEST
    found = {each.name: each for each in registry().records}
    assert (len(found), len(registry().with_epsilon)) == (41, 27)
    for name, epsilon, unit, kind in (
        ("FLEX", 0.01, "Tuple-level", "event"),
        ("Audience Engagement API", 34.9, "User-month-level", "part"),
        ("Lookup Hints", 8.0, "User-level", "person"),
        ("Iconic scenes and photo sections for iOS apps", 1.0, "", "unknown"),
        ("Current Pageviews", None, "Device-day-level", "part"),
    ):
        assert (found[name].epsilon, found[name].unit, found[name].kind) == (epsilon, unit, kind)


@pytest.mark.parametrize(("epsilon", "larger"), [(0.001, 27), (8.0, 4), (100.0, 0)])
@pytest.mark.parametrize("limited", [True, False])
def test_every_registered_epsilon_is_drawn_with_its_unit_beside_the_one_that_is_set(epsilon, larger, limited):
    figure = others_figure(promise(epsilon), "others", limited=limited)
    *rows, here = plotly_takes(figure.picture).data
    drawn = [(x, text) for row in rows for x, text in zip(row.x, row.text, strict=True)]
    assert [row.name for row in rows] == list(reversed(ROWS.values()))
    assert sorted(x for x, _ in drawn) == [size for size, _ in registry().with_epsilon]
    texts = [re.sub(r"<br>|\s", "", text).casefold() for _, text in drawn]
    for _, each in registry().with_epsilon:
        name, unit = (re.sub(r"\s", "", part).casefold() for part in (each.name, each.unit))
        assert any(name in text and unit in text for text in texts)
    places = [(x, y) for row in rows for x, y in zip(row.x, row.y, strict=True)]
    assert len(places) == len(set(places))  # none is hidden
    assert here.x == (epsilon,)
    assert numbers(figure.finding.title)[:3] == [27, larger, epsilon]
    assert "an agent’s participation" in figure.finding.note  # the unit of this one
    assert tells(figure.finding.note, 41)
