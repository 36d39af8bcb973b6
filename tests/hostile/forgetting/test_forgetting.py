"""After *Forget my data*, and after a closed tab, nothing of a table can be reached in the process."""

import asyncio

import pytest

from tests.helpers.amounts import few
from tests.helpers.person import MARK, Person, scores, sites, table, watched

ALL = ("data", "outsourced", "tradeoff", "audit", "workbench", "decision", "tour", "start", "release", "federated")
ROUND = few(("outsourced", "workbench", "decision"), ALL)
SCENES = ("outsourced", "tradeoff")
LITTLE = {"runs": 5, "federated_runs": 2, "T": 10}
"""Settings with which a page comes to its end soon."""


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with watched(tmp_path_factory.mktemp("watched")) as app:
        yield app


@pytest.fixture(autouse=True)
def nothing_before_and_no_faults(app):
    assert app.knows() == []
    yield
    assert "Traceback" not in app.log.read_text()


async def look_around(person, view):
    """Go to every page; take away what there is to be taken, and keep a scene of it."""
    taken = 0
    for page in ROUND:
        await person.go(page, {"view": view, **LITTLE})
        assert not person.errors
        if "Take away" in person.controls:
            await person.open("Take away")
            taken += 1
        if page in SCENES:
            await person.open("Scenes")
            await person.press("Keep as scene")
    assert taken >= few(1, 4)


@pytest.mark.parametrize("view", few(["expert"], ["expert", "simple"]))
def test_nothing_is_left_of_a_forgotten_table_whatever_was_made_of_it(app, view):
    async def visit():
        person = await Person.at(app.port, "data", {"view": view})
        await person.bring(f"{MARK}.csv", table())
        assert any(MARK in words for words in person.words)
        assert app.knows()
        await look_around(person, view)
        assert app.knows()
        await person.go("data", {"view": view})
        await person.press("Forget my data")
        assert any("With the table you would lose for good" in words for words in person.words)
        assert app.knows()  # it was only asked for
        await person.press("Forget all the same")
        assert any("gone from the server" in words for words in person.words)
        assert await app.forgets() == []
        await person.go("outsourced", {"view": view})  # and it goes on as with any visitor
        assert not person.errors
        assert "found" in person.pictures or "regret" in person.pictures
        assert app.knows() == []
        await person.leave()

    asyncio.run(visit())


@pytest.mark.parametrize(
    ("page", "label", "option", "content"),
    [
        ("release", "What is tuned", "My own table of settings and scores", scores),
        pytest.param("federated", "Data", "Your own table", sites, marks=pytest.mark.long),
    ],
)
def test_nothing_is_left_of_the_other_tables(app, page, label, option, content):
    async def visit():
        person = await Person.at(app.port, page, {"view": "expert", **LITTLE})
        await person.choose(label, option)
        await person.bring(f"{MARK}.csv", content())
        assert app.knows()
        assert not person.errors
        await look_around(person, "expert")
        await person.go(page, {"view": "expert", **LITTLE})
        await person.press("Forget my data")
        assert await app.forgets() == []
        await person.leave()

    asyncio.run(visit())


def test_nothing_is_left_of_a_tab_that_was_closed_although_nobody_comes_after_it(app):
    async def visit():
        person = await Person.at(app.port, "data", {"view": "expert"})
        await person.bring(f"{MARK}.csv", table())
        await person.go("outsourced", {"view": "expert"})
        assert app.knows()
        await person.leave()
        assert await app.forgets() == []

    asyncio.run(visit())


def test_what_would_be_lost_in_another_open_tab_is_named_before_anything_is_forgotten(app):
    async def visit():
        first, second = [await Person.at(app.port, "data", {"view": "expert"}, "a third browser") for _ in range(2)]
        for person in (first, second):
            await person.bring(f"{MARK}.csv", table())
        await second.go("outsourced", {"view": "expert", **LITTLE})
        await second.open("Scenes")
        await second.press("Keep as scene")
        await second.go("data", {"view": "expert"})
        await first.press("Forget my data")
        assert any("in another tab the scenes that you kept of it" in words for words in first.words)
        assert app.knows()
        await second.leave()  # and with it goes what only this tab had
        await first.go("data", {"view": "expert"})
        await first.press("Forget my data")
        assert any("gone from the server" in words for words in first.words)
        assert await app.forgets() == []
        await first.leave()

    asyncio.run(visit())


def test_other_tabs_of_the_same_browser_forget_too_and_say_so(app):
    async def visit():
        first, second = [await Person.at(app.port, "data", {"view": "expert"}, "one browser") for _ in range(2)]
        other = await Person.at(app.port, "data", {"view": "expert"}, "another browser")
        for person in (first, second):
            await person.bring(f"{MARK}.csv", table())
        await other.bring("theirs.csv", table().replace(MARK.encode(), b"theirs").replace(b"77123", b"1"))
        await second.go("outsourced", {"view": "expert"})
        closed = await Person.at(app.port, "data", {"view": "expert"}, "one browser")
        await closed.bring(f"{MARK}.csv", table())
        await closed.leave()
        ran = other.runs
        await first.press("Forget my data")
        await second.until(lambda: any("in another tab" in words for words in second.words))
        assert second.query.startswith("view=expert")
        for person in (first, second, other):
            await person.at_rest(0)
        assert await app.forgets() == []
        assert other.runs == ran
        assert "Forget my data" in other.controls
        for person in (first, second, other):
            assert not person.errors
            await person.leave()

    asyncio.run(visit())
