"""The Workbench in a real browser: two parties exchange files, and share nothing else."""

import re
from pathlib import Path

from parties import Party

from privbo_core.data import load_table, read_frame
from privbo_core.outsourced.parties.exchange import read_answers, read_questions, write_questions
from privbo_core.outsourced.parties.ledger import Ledger
from privbo_core.outsourced.parties.modeler import Modeler
from privbo_core.outsourced.parties.package import Package

SAMPLES = Path(__file__).parents[3] / "sample_data"
HOLDER = "workbench?view=expert&seat=holder&data=hospital&epsilon=1&T=10"
MODELER = "workbench?seat=modeler"
OUTCOME = "free_light_chain"


def ask(modeler, count):
    """Ask for so many rows; return the file of questions."""
    field = modeler.page.get_by_role("spinbutton", name="Rows at once")
    field.fill(str(count))
    field.press("Enter")
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
    """Answer a row that was asked for, and tell it, by typing."""
    holder.type("Rows asked for", f"{row}")
    value = read_answers(answer(holder, 1, answered))[row]
    modeler.type(f"of row {row}", f"{value}")
    modeler.press("Tell", then="Ask$")


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
    by_files(modeler, holder, 10, 20)

    search = modeler.download("Download the search")
    later = Party(browser, f"{app}/{MODELER}&view=expert")
    later.bring("ZIP", "search.zip", search)
    questions = ask(later, 1)
    assert ask(modeler, 1) == questions
    modeler.leave()
    modeler = later

    kept = holder.download("Download the ledger")
    holder.leave()
    holder = Party(browser, f"{app}/{HOLDER}")
    holder.bring("ledger", "ledger.json", kept)
    said = Ledger.from_bytes(kept).answers
    holder.bring("file of questions", "questions.csv", write_questions([each.row for each in said]).encode())
    assert read_answers(answer(holder, 20, 20)) == {each.row: each.value for each in said}
    assert holder.download("Download the ledger") == kept

    by_hand(modeler, holder, *read_questions(questions), 21)
    by_hand(modeler, holder, *read_questions(ask(modeler, 1)), 22)
    by_files(modeler, holder, 8, 30)

    answers = Ledger.from_bytes(holder.download("Download the ledger")).answers
    table = load_table(SAMPLES / "hospital.csv")
    assert [each.value for each in answers] == [table[OUTCOME].iloc[each.record] for each in answers]
    told = Modeler.load(modeler.download("Download the search")).told
    assert told == {each.row: each.value for each in answers}
    assert len(told) == 30
    best = max(told, key=told.get)
    tile = modeler.page.locator(".pb-tile").filter(has_text=re.compile("^best", re.IGNORECASE)).inner_text()
    assert f"row {best}" in tile
    assert f"{told[best]:,.4g} mg/dL" in tile
    modeler.leave()
    holder.leave()
