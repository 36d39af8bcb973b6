"""The list of faults in tests/faults fits the code as it is now."""

import ast

from tests.faults import listed
from tests.helpers.paths import ROOT


def test_each_fault_has_its_place_and_its_tests():
    faults = listed()
    assert len({fault.name for fault in faults}) == len(faults)
    for fault in faults:
        faulty = fault.implanted((ROOT / fault.file).read_text("utf-8"))
        if fault.file.endswith(".py"):
            ast.parse(faulty)  # What can't be parsed would be caught by any test.
        assert fault.tests, fault.name
        assert [test for test in fault.tests if not (ROOT / test).exists()] == [], fault.name
