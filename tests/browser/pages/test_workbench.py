"""The Workbench in a real browser: two parties exchange files, and share nothing else."""

import re

import pytest

from privbo_core.data import load_cells, load_table, read_frame
from privbo_core.outsourced import Curator, MemoryStore, Outcome
from privbo_core.outsourced.parties.exchange import read_answers, read_questions
from privbo_core.outsourced.parties.ledger import Ledger
from privbo_core.outsourced.parties.modeler import Modeler
from privbo_core.outsourced.parties.package import Package
from tests.helpers.accessible import assert_for_everybody
from tests.helpers.hands import bring, enter
from tests.helpers.paths import SAMPLES
from tests.helpers.waiting import quiet

OF_STREAMLIT = "/_stcore/"  # Where Streamlit looks for its server on every page below the first before it finds it.


class Party:
    """A visitor with a browser of their own. What they download is returned, and kept nowhere else."""

    def __init__(self, browser, address):
        self._context = browser.new_context(viewport={"width": 1440, "height": 900})
        self.page = self._context.new_page()
        self.page.set_default_timeout(90_000)
        self.complaints = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._heard)
        self.page.goto(address)

    def _heard(self, message):
        if message.type == "error" and OF_STREAMLIT not in message.location["url"]:
            self.complaints.append(f"{message.text} {message.location['url']}")

    def leave(self):
        self._context.close()
        assert not self.complaints, self.complaints

    def rest(self):
        self.page.locator(".st-key-seats").wait_for(state="attached")
        quiet(self.page, polling=50)

    def button(self, name):
        return self.page.get_by_role("button", name=re.compile(f"^{name}")).first

    def press(self, name, then=None, gone=None):
        """Press a button; wait until another one is there, or gone, because of it, and nothing goes on any more."""
        self.button(name).click()
        if then:
            self.button(then).wait_for()
        if gone:
            self.button(gone).wait_for(state="detached")
        self.rest()

    def bring(self, label, name, content):
        """Bring a file to the place with this label, once the page rests, and wait until the server has it."""
        self.rest()
        place = self.page.get_by_test_id("stFileUploader").filter(has_text=label)
        with self.page.expect_response(lambda answer: answer.request.method == "PUT"):
            bring(place.locator("input[type=file]"), name, content)
        place.get_by_text(name, exact=True).first.wait_for()  # the page may be about to draw it anew

    def type(self, label, text):
        self.page.get_by_role("textbox", name=label).fill(text)

    def download(self, name):
        with self.page.expect_download() as started:
            self.button(name).click()
        return started.value.path().read_bytes()

    def complaint(self, *words):
        """Return what the page complains of, once it is about this; there must be one complaint."""
        about = alerts = self.page.get_by_test_id("stAlertContentError")
        for word in words:
            about = about.filter(has_text=word)
        about.first.wait_for()
        self.rest()
        assert alerts.count() == 1, alerts.all_inner_texts()
        return alerts.inner_text()


HOLDER = "workbench?view=expert&seat=holder&data=hospital&epsilon=1&T=10"
MODELER = "workbench?seat=modeler"
OUTCOME = "free_light_chain"


def ask(modeler, count):
    """Ask for so many rows; return the file of questions."""
    enter(modeler.page.get_by_role("spinbutton", name="Rows at once"), str(count))
    modeler.press("Ask$", then="Download the questions")
    questions = modeler.download("Download the questions")
    assert len(read_questions(questions)) == count
    return questions


def answer(holder, count, answered):
    """Find and answer the rows that were brought or typed; return the file of all answers, ``answered`` of them."""
    holder.press("Find", then=f"Answer {count} ")
    holder.press(f"Answer {count} ", then=f"Download {answered} answer", gone=f"Answer {count} ")
    return holder.download(f"Download {answered} answer")


def by_files(modeler, holder, count, answered):
    """Ask for ``count`` rows, answer and tell them, by files alone; ``answered``: how many are then."""
    holder.bring("file of questions", "questions.csv", ask(modeler, count))
    modeler.bring("file of answers", "answers.csv", answer(holder, count, answered))
    modeler.press("Tell", then="Ask$")


def by_hand(modeler, holder, row, answered):
    holder.type("Rows asked for", f"{row}")
    value = read_answers(answer(holder, 1, answered))[row]
    modeler.type(f"of row {row}", f"{value}")
    modeler.press("Tell", then="Ask$")


def sentences(text):
    return len(re.findall(r"[.!?](?=\s|$)", text))


def test_two_parties_who_exchange_files_alone_go_from_a_release_to_a_result(browser, app):
    holder = Party(browser, f"{app}/{HOLDER}")
    holder.press("Release$", then="Download the ZIP")
    released = holder.download("Download the ZIP")
    package = Package.from_bytes(released)
    assert (package.rows, package.epsilon, package.private) == (6524, 1.0, None)
    assert package.frame == read_frame(SAMPLES / "hospital.frame.json")

    modeler = Party(browser, f"{app}/{MODELER}")
    modeler.bring("ZIP", "release.zip", released)
    by_files(modeler, holder, 10, 10)

    kept = holder.download("Download the ledger")
    holder.leave()
    holder = Party(browser, f"{app}/{HOLDER}")
    holder.bring("ledger", "ledger.json", kept)
    by_hand(modeler, holder, *read_questions(ask(modeler, 1)), 11)

    answers = Ledger.from_bytes(holder.download("Download the ledger")).answers
    table = load_table(SAMPLES / "hospital.csv")
    assert [each.value for each in answers] == [table[OUTCOME].iloc[each.record] for each in answers]
    told = Modeler.load(modeler.download("Download the search")).outcomes
    assert told == {each.row: each.value for each in answers}
    assert len(told) == 11
    best = max(told, key=told.get)
    tile = modeler.page.locator(".pb-tile").filter(has_text=re.compile("^best", re.IGNORECASE)).inner_text()
    assert f"row {best}" in tile
    assert f"{told[best]:,.4g} mg/dL" in tile
    modeler.leave()
    holder.leave()


@pytest.fixture(scope="module")
def files():
    """The ledger of the hospital sample, released, with four answers; a search that was told them and asks again."""
    table, store = load_cells(SAMPLES / "hospital.csv"), MemoryStore()
    curator, frame = Curator(table, store), read_frame(SAMPLES / "hospital.frame.json")
    modeler = Modeler.open(curator.release_whole(frame, 1.0, 1e-5, outcome=Outcome(OUTCOME, "mg/dL")).to_bytes())
    for row in (17, 4022, 5, 900):
        modeler.tell(row, curator.answer(row).value)
    modeler.ask(2)
    return {"ledger.json": store.data, "search.zip": modeler.to_bytes()}


def test_outcomes_that_are_measured_later_are_typed_and_go_out_as_they_are(browser, app):
    people = "".join(f"person {i},{50 + i},{140 + 7 * i % 60}\n" for i in range(40))
    holder = Party(browser, f"{app}/{HOLDER}")
    holder.page.get_by_text("Bring your own table").click()
    holder.bring("table of your own", "people.csv", f"name,age,height\n{people}".encode())
    holder.page.get_by_role("combobox", name="Outcome").click()
    holder.page.get_by_role("option", name="measured later").click()
    holder.page.get_by_text("Release although").click()
    holder.press("Release$", then="Download the ZIP")
    package = Package.from_bytes(holder.download("Download the ZIP"))
    assert (package.rows, package.frame.names, package.outcome.name) == (40, ("age", "height"), "outcome")
    holder.type("Rows asked for", "3, 39")
    holder.press("Find", then="Answer$")
    holder.type("(row 3)", "12.5")
    holder.type("(row 39)", "much")
    holder.button("Answer$").click()
    assert sentences(holder.complaint("much")) == 1
    holder.type("(row 39)", "-7")
    holder.press("Answer$", then="Download 2 answers")
    assert read_answers(holder.download("Download 2 answers")) == {3: 12.5, 39: -7.0}
    holder.leave()


@pytest.mark.long
@pytest.mark.parametrize("depth", ["simple", "expert"])
def test_everybody_can_use_each_seat_while_it_is_at_work(browser, app, files, depth):
    """With a screen reader in either theme, and on a phone; nothing is told to the browser's console as an error."""
    holder = Party(browser, f"{app}/workbench?view={depth}&seat=holder&data=hospital&T=10")
    holder.bring("ledger", "ledger.json", files["ledger.json"])
    holder.type("Rows asked for", "18")
    holder.press("Find", then="Answer 1 ")
    modeler = Party(browser, f"{app}/workbench?view={depth}&seat=modeler")
    modeler.bring("ZIP", "search.zip", files["search.zip"])
    modeler.button("Download the questions").wait_for()
    rehearsal = Party(browser, f"{app}/workbench?view={depth}&seat=rehearsal&rehearse=answer&tests=5")
    rehearsal.press("Start", then="Answer the rest")
    rehearsal.press("Answer$", then="Answer the rest")
    for party in (holder, modeler, rehearsal):
        party.page.locator(".plot[data-drawn]").first.wait_for()
        party.rest()
        assert_for_everybody(party.page)
        party.leave()
