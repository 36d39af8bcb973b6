"""Where an ε stands among registered ones: the numbers are the registry’s, the sentence says that units differ."""

import hashlib
import re

import pytest

from pages.parts.live.others import ROWS, others_figure
from privbo_core.about import SAMPLE_DATA
from privbo_core.deployment.registry import registry
from privbo_core.privacy import Guarantee, Status
from tests.helpers.opening import open_page
from tests.helpers.reading import plotly_takes, said

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
        ("Iconic scenes and photo sections for iOS apps", 1.0, "", "unsaid"),
        ("Current Pageviews", None, "Device-day-level", "part"),
    ):
        assert (found[name].epsilon, found[name].unit, found[name].kind) == (epsilon, unit, kind)


@pytest.mark.parametrize(("epsilon", "larger"), [(0.001, 27), (8.0, 4), (100.0, 0)])
@pytest.mark.parametrize("limited", [True, False])
def test_every_registered_epsilon_is_drawn_with_its_unit_and_the_sentence_says_that_units_differ(
    epsilon, larger, limited
):
    figure = others_figure(promise(epsilon), "others", limited=limited)
    *rows, here = plotly_takes(figure.picture).data
    drawn = [(x, text) for row in rows for x, text in zip(row.x, row.text, strict=True)]
    assert [row.name for row in rows] == list(reversed(ROWS.values()))
    assert sorted(x for x, _ in drawn) == [size for size, _ in registry().with_epsilon]
    said = re.compile(r"20\d\d\).*unit: .*(one release|many releases|releases not said);")
    assert all(said.search(text.replace("<br>", " ")) for _, text in drawn)
    places = [(x, y) for row in rows for x, y in zip(row.x, row.y, strict=True)]
    assert len(places) == len(set(places))  # none is hidden
    assert here.x == (epsilon,)
    assert figure.finding.title.startswith(f"Of 27 registered deployments with an ε, {larger} state a larger one")
    unit = f"{'a limited change of ' if limited else ''}an agent’s participation"
    assert f"here, {unit}." in figure.finding.note
    assert "a smaller ε alone is not more privacy" in figure.finding.note
    assert "approved none of the 41 records yet" in figure.finding.note


@pytest.mark.parametrize("depth", ["simple", "expert"])
def test_it_stands_in_what_an_epsilon_means_once_that_is_opened(depth):
    small = {"T": "10", "runs": "5", "N": "20", "federated_runs": "5", "view": depth, "epsilon": 1}
    assert "registered deployments" not in said(open_page("outsourced", **small))
    text = said(open_page("outsourced", **small, release="noisy", meaning="true"))
    assert "Of 27 registered deployments" in text
    assert "a limited change of each row" in text
