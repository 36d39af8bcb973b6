"""The registered deployments: their numbers are those of the registry."""

import csv
import hashlib
import io
import re

from privbo_core.about import SAMPLE_DATA
from privbo_core.privacy import registry

TEXT = (SAMPLE_DATA / "deployments.csv").read_text(encoding="utf-8")
DIGEST = "8c17cc0fc2c637b8a3bef79aa93ca1087b5ee2fee088a3d61cd827958d372680"


def test_the_file_is_the_dated_copy_of_the_registry():
    source, _, rows = TEXT.partition("\n")
    assert re.search(r"OpenDP, NIST\), as of \d+ \w+ 20\d\d\. MIT licence\.$", source)
    # The records of the registry's copy of that day, as sample_data/make_deployments.py writes them.
    assert hashlib.sha256(rows.encode()).hexdigest() == DIGEST


def test_records_are_those_of_the_file_with_the_kind_of_their_unit():
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


def test_records_with_an_epsilon_are_in_its_order():
    rows = list(csv.DictReader(io.StringIO(TEXT.partition("\n")[2])))
    stated = [float(row["epsilon"]) for row in rows if row["epsilon"]]
    assert [epsilon for epsilon, _ in registry().with_epsilon] == sorted(stated)
    assert all(record.epsilon == epsilon for epsilon, record in registry().with_epsilon)
    assert registry().approved == sum(row["status"].startswith("Approved") for row in rows)
