"""The command line, as two people in two folders use it who share nothing but the files that they send."""

import os
import shutil
import subprocess
import sys

import pandas as pd
import pytest

from privbo_core.data import load_table, read_frame, write_frame
from privbo_core.outsourced import Ledger, Modeler, read_answers, read_package, read_questions
from privbo_core.privacy import gaussian_epsilon
from tests.helpers.seats import FRAME, GLUCOSE, RELEASE, ROOT, SAMPLES, TABLE, begin, rows_in


def test_a_whole_search_on_the_hospital_sample_in_two_folders(holder, modeler):
    shutil.copy(SAMPLES / "hospital.csv", holder.folder)
    shutil.copy(SAMPLES / "hospital.frame.json", holder.folder)
    words = "release hospital.csv hospital.frame.json --epsilon 1 --delta 1e-6 --out release.zip"
    said = holder.does(f"{words} --outcome free_light_chain --unit mg/dL")
    assert "6,524 rows of age and log_creatinine at ε = 1, δ = 1e-06" in said[0]
    holder.sends("release.zip", modeler)
    modeler.does("open", "release.zip", "search.zip")

    for batch in (3, 2):
        modeler.does("ask", "search.zip", batch, "--out", "questions.csv", "--force")
        modeler.sends("questions.csv", holder)
        holder.does("answer ledger.json hospital.csv --questions questions.csv --out answers.csv --force")
        holder.sends("answers.csv", modeler)
        modeler.does("tell", "search.zip", "--answers", "answers.csv")
    (row,) = rows_in(modeler.does("ask", "search.zip"))
    holder.does("find", "ledger.json", "hospital.csv", row)
    answer = holder.does("answer", "ledger.json", "hospital.csv", row)[0]
    modeler.does("tell", "search.zip", row, answer.split()[3])

    assert {path.name for path in modeler.folder.iterdir()} == {
        "release.zip", "search.zip", ".search.zip.lock", "questions.csv", "answers.csv"
    }  # fmt: skip
    table = load_table(SAMPLES / "hospital.csv")
    ledger = Ledger.from_bytes((holder.folder / "ledger.json").read_bytes())
    search = Modeler.load(modeler.folder / "search.zip")
    assert len(search.outcomes) == 6
    assert search.outcomes == {answer.row: answer.value for answer in ledger.answers}
    for answer in ledger.answers:
        assert answer.value == table["free_light_chain"].iloc[answer.record]
    best = search.best
    said = modeler.does("best search.zip")[0]
    assert f"Best of 6 tests: row {best.row}, free_light_chain {best.outcome:.15g} mg/dL." in said
    # The whole table as released, by hand: ε of one Gaussian release is what was asked for.
    package = read_package(modeler.folder / "release.zip")
    assert gaussian_epsilon(1e-6, package.sigma, 1.0) == pytest.approx(1.0)
    cost = next(line for line in holder.does("ledger", "ledger.json") if line.startswith("Any one record"))
    assert "ε = 1 on its inputs, ε = ∞ on its outcome" in cost


def test_processes_of_their_own_share_files_even_where_letters_are_few(holder):
    holder.does("frame", "frame.json", *FRAME)

    def run(*words):
        plain = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
        command = [sys.executable, "-m", "privbo_core.workbench", *words]
        done = subprocess.run(command, cwd=holder.folder, env=plain, capture_output=True, text=True)
        assert "Traceback" not in done.stderr
        return done

    assert "? = 1" in run(*RELEASE, *GLUCOSE).stdout
    assert "40 rows of age and weight, with noise (? = 1" in run("open", "release.zip", "search.zip").stdout


def test_a_second_release_asks_and_says_what_both_cost(begun):
    holder, _ = begun
    again = [*RELEASE[:-1], "second.zip"]
    together = gaussian_epsilon(1e-5, read_package(holder.folder / "release.zip").sigma / 2**0.5, 1.0)
    assert f"ε = {together:.3g} at δ = 1e-05" in holder.is_refused(*again)
    assert "say otherwise" in holder.is_refused(*again, "--again", "--outcome", "height").replace("says", "say")
    holder.does(*again, "--again")
    said = holder.does("ledger", "ledger.json")
    assert [line.split(",")[0] for line in said[:2]] == ["Release 1", "Release 2"]
    assert f"ε = {together:.3g} on its inputs" in said[3]
    assert "say which release" in holder.is_refused("find", "ledger.json", "people.csv", 1)
    orders = [each.order.tolist() for each in Ledger.from_bytes((holder.folder / "ledger.json").read_bytes()).releases]
    one, two = (holder.does(f"find ledger.json people.csv 1 2 3 4 5 --release {number}") for number in (1, 2))
    assert one != two, "each release has an order of its own"
    told = holder.does("answer ledger.json people.csv 3 --release 1")[0]
    again = 1 + orders[1].index(orders[0][2])
    assert told.replace("Row 3", f"Row {again}").replace("(exact)", "(exact, the same as before)") in holder.does(
        f"answer ledger.json people.csv {again} --release 2"
    )


def test_private_answers_are_clipped_once_and_repeated(holder, modeler):
    holder.does("frame", "frame.json", *FRAME)
    private = ["--private", "60", "-1e-3", "20", "1"]
    assert "low must be below high" in holder.is_refused(*RELEASE, *GLUCOSE, *private)
    private[2] = "200"
    assert "--private" in holder.is_refused(*RELEASE, *GLUCOSE, "--known-from", "a textbook")
    said = holder.does(*RELEASE, *GLUCOSE, *private, "--known-from", "a textbook", "--smaller")
    assert any("private: glucose between 60 and 200 mg/dL" in line for line in said)
    holder.sends("release.zip", modeler)
    assert "smallest glucose" in modeler.does("open", "release.zip", "search.zip")[1]
    first = holder.does("answer", "ledger.json", "people.csv", 3, 900)[0]
    assert "with noise" in first
    assert "outside the public range" in first
    value = float(first.split()[3])
    again = holder.does("answer ledger.json people.csv 3 70")[0]
    assert f"glucose {value:.15g} mg/dL (with noise, the same as before)" in again
    assert "cannot be corrected" in holder.is_refused("answer", "ledger.json", "people.csv", 3, 70, "--correct")
    cost = holder.does("ledger", "ledger.json", "--row", 3)[2]
    both = gaussian_epsilon(1e-5, read_package(holder.folder / "release.zip").sigma / 2**0.5, 1.0)
    assert f"ε = 1 on its inputs, ε = 1 on its outcome, ε = {both:.3g} on both" in cost
    assert "ε = 0 on its outcome" in holder.does("ledger", "ledger.json", "--row", 4)[2]


def test_a_work_sheet_is_filled_in_bit_by_bit(holder, modeler):
    (holder.folder / "people.csv").write_text(TABLE.replace("name,", "outcome,").replace("glucose", "Row"))
    begin(holder, modeler)
    modeler.does("ask", "search.zip", 4, "--out", "questions.csv")
    modeler.sends("questions.csv", holder)
    find = ["find", "ledger.json", "people.csv", "--questions", "questions.csv", "--out", "sheet.csv"]
    assert "Fill in its column outcome with glucose (mg/dL)" in holder.does(*find)[1]
    assert "exists already" in holder.is_refused(*find)
    path = holder.folder / "sheet.csv"
    assert path.stat().st_mode & 0o077 == 0, "the work sheet is its owner's"
    sheet = pd.read_csv(path)
    assert list(sheet.columns) == ["row", "outcome", "data row", "outcome (table)", "age", "weight", "Row (table)"]
    table = pd.read_csv(holder.folder / "people.csv")
    for _, line in sheet.iterrows():
        assert line["outcome (table)"] == table["outcome"][line["data row"] - 1]

    answer = ["answer", "ledger.json", "people.csv", "--questions", "sheet.csv", "--out", "answers.csv"]
    assert "outcomes are empty" in holder.is_refused(*answer).lower()
    sheet["outcome"] = sheet["outcome"].astype(object)
    sheet.loc[[0, 2], "outcome"] = ["101,5", "99"]
    sheet.to_csv(path, index=False, sep=";")  # as a spreadsheet in half of Europe saves it
    later = ", ".join(map(str, sheet["row"][[1, 3]])).replace(", ", " and ")
    assert f"no outcome for them: {later}." in holder.does(*answer)[0]
    holder.sends("answers.csv", modeler)
    modeler.does("tell", "search.zip", "--answers", "answers.csv")
    told = Modeler.load(modeler.folder / "search.zip").outcomes
    assert told == {sheet["row"][0]: 101.5, sheet["row"][2]: 99.0}
    assert "Asked and still open: rows" in modeler.does("best", "search.zip")[2]


def test_of_a_file_of_rows_those_are_answered_that_can_be_and_none_if_one_must_not(begun):
    holder, _ = begun
    table, questions = holder.folder / "people.csv", holder.folder / "questions.csv"
    order = Ledger.from_bytes((holder.folder / "ledger.json").read_bytes()).releases[0].order.tolist()
    empty, full, later = (order.index(record) + 1 for record in (5, 6, 7))
    answer = ["answer", "ledger.json", "people.csv", "--questions", "questions.csv", "--out", "answers.csv", "--force"]

    table.write_text(TABLE.replace("p5,55,105,145", "p5,55,105,").replace("p7,69,57,81", "p7,69,57,?"))
    questions.write_text(f"{later} {empty} {full}")
    assert f"the table has no outcome for them: {later} and {empty}." in holder.does(*answer)[0]
    assert read_answers((holder.folder / "answers.csv").read_text()) == {full: 158.0}
    questions.write_text(f"{full} {empty} 41")
    assert "Row 41 is not in release 1" in holder.is_refused(*answer)
    questions.write_text(f"row,outcome\n{empty},145\n{full},159\n")
    assert "158" in holder.is_refused(*answer), "and the other one is not written down either"
    table.write_text(TABLE.replace("glucose", "height"))
    questions.write_text(f"{empty}")
    assert "let find write a work sheet" in holder.is_refused(*answer)
    questions.write_text(f"{empty} {full}")
    holder.does(*answer)
    assert read_answers((holder.folder / "answers.csv").read_text()) == {full: 158.0}


def test_a_work_sheet_has_the_table_s_own_decimal_mark(holder):
    table = TABLE.replace(",", ";").replace("p5;55;105", "p5;55;105,5")
    (holder.folder / "people.csv").write_text(table)
    holder.does("frame", "frame.json", *FRAME, "--table", "people.csv", "--written", "the scale's own export")
    holder.does(*RELEASE, "--outcome", "height")
    (holder.folder / "questions.csv").write_text(" ".join(str(row) for row in range(1, 41)))
    holder.does("find", "ledger.json", "people.csv", "--questions", "questions.csv", "--out", "sheet.csv")
    path = holder.folder / "sheet.csv"
    sheet = path.read_text(encoding="utf-8-sig")
    assert ";p5;55;105,5;145" in sheet
    row = next(line.split(";")[0] for line in sheet.splitlines() if ";p5;" in line)
    path.write_text(sheet.replace(f"\n{row};;", f"\n{row};171,5;"))
    said = holder.does("answer", "ledger.json", "people.csv", "--questions", "sheet.csv", "--out", "answers.csv")
    assert f"Row {row}: height 171.5 (exact)." in said


def test_an_outcome_is_read_as_its_own_column_seems_to_be_written_and_as_before_in_a_second_release(holder):
    (holder.folder / "people.csv").write_text(TABLE.replace("p3,41,83,119\n", "p3,41,83,-9\n"))
    holder.does("frame", "frame.json", *FRAME)
    said = holder.does(*RELEASE, *GLUCOSE)
    assert "glucose is read with decimal point, -9 is missing." in " ".join(said)
    order = Ledger.from_bytes((holder.folder / "ledger.json").read_bytes()).releases[0].order.tolist()
    assert "has no number" in holder.is_refused("answer", "ledger.json", "people.csv", order.index(3) + 1)
    (holder.folder / "people.csv").write_text(TABLE)
    holder.does(*RELEASE, *GLUCOSE, "--again", "--force")


def test_a_frame_of_before_is_asked_once_how_its_table_is_written(holder):
    (holder.folder / "people.csv").write_text(TABLE.replace(",", ";") + "Total;1.200;2.400;\n")
    holder.does("frame", "frame.json", *FRAME)
    write_frame(read_frame(holder.folder / "frame.json").unwritten, holder.folder / "frame.json")
    asked = holder.is_refused(*RELEASE, *GLUCOSE)
    assert "cells apart by a semicolon, utf-8, names in line 1, but the last 1, the lines below are records" in asked
    holder.does("frame", "frame.json", "--table", "people.csv", "--marks", "age", ".", ",", "", "999 -9")
    assert "from where how the table is written was known" in holder.is_refused(*RELEASE, *GLUCOSE)
    said = holder.does("frame", "frame.json", "--table", "people.csv", "--written", "the ward's export", "--below", 0)
    assert "age: 18 to 100 years; a change of 5 years is hidden. Written with decimal point, thousands" in said[0]
    assert "999, -9 are missing" in said[0]
    said = holder.does(*RELEASE, *GLUCOSE)
    assert "Released 41 rows" in said[0], "a sum is a record, if its holder says so"
    assert "age: 1 of 41 rows is below 18 and counts as 18." in said


def test_asking_shows_what_is_open_and_goes_on_when_told_to(begun):
    _, modeler = begun
    (first,) = rows_in(modeler.does("ask", "search.zip"))
    again = modeler.does("ask", "search.zip")
    assert again[0] == f"Asked before and still open: row {first}."
    assert rows_in(again) == []
    more = rows_in(modeler.does("ask", "search.zip", 3))
    assert len({first, *more}) == 4
    modeler.does("ask", "search.zip", "--out", "open.csv")
    assert list(read_questions((modeler.folder / "open.csv").read_text())) == [first, *more]
    modeler.does("skip", "search.zip", first)
    assert modeler.does("tell", "search.zip", more[0], -1e-3)[2].startswith("Few tests yet")
    assert Modeler.load(modeler.folder / "search.zip").outcomes == {more[0]: -0.001}
    modeler.does("untell", "search.zip", more[0])
    assert set(Modeler.load(modeler.folder / "search.zip").pending) == set(more)
    modeler.does("skip", "search.zip", first, "--undo")
    assert Modeler.load(modeler.folder / "search.zip").pending[0] == first


def test_a_wrong_outcome_is_corrected_only_when_said(begun):
    holder, modeler = begun
    holder.does("answer", "ledger.json", "people.csv", 7, 100)
    assert "100" in holder.is_refused("answer", "ledger.json", "people.csv", 7, 101)
    assert "glucose 101 mg/dL (exact)" in holder.does("answer", "ledger.json", "people.csv", 7, 101, "--correct")[0]
    modeler.does("tell", "search.zip", 7, 100)
    assert "correct" in modeler.is_refused("tell", "search.zip", 7, 101)
    modeler.does("tell", "search.zip", 7, 101, "--correct")
    assert Modeler.load(modeler.folder / "search.zip").outcomes == {7: 101.0}


def test_of_records_that_only_the_outcome_tells_apart_one_is_answered(holder):
    (holder.folder / "people.csv").write_text(TABLE.replace("p1,27,61,", "p0,20,50,").replace("p2,34,72,", "p0,20,50,"))
    holder.does("frame", "frame.json", *FRAME)
    said = holder.does(*RELEASE, *GLUCOSE, "--private", 60, 200, 20, 1)
    assert "3 rows cannot be told apart but by glucose: find names all" in said[1]
    assert "of those alike one alone is answered" in said[1]
    order = Ledger.from_bytes((holder.folder / "ledger.json").read_bytes()).releases[0].order.tolist()
    alike, other = [order.index(record) + 1 for record in range(3)], order.index(9) + 1
    found = holder.does("find", "ledger.json", "people.csv", *alike, other)
    assert f"Row {alike[0]} is data row 1, 2 or 3, counted below the header, which only glucose tells apart" in found[0]
    assert found[0].endswith("name p0, age 20, weight 50.")
    (holder.folder / "questions.csv").write_text(" ".join(map(str, [other, *alike])))
    answer = ["answer", "ledger.json", "people.csv", "--questions", "questions.csv", "--out", "answers.csv", "--force"]
    said = holder.does(*answer)
    assert f"tells them from others who were: {alike[1]} and {alike[2]}." in said[0]
    assert set(read_answers((holder.folder / "answers.csv").read_text())) == {other, alike[0]}
    assert "nobody is answered twice" in holder.is_refused("answer", "ledger.json", "people.csv", alike[1])
    (holder.folder / "questions.csv").write_text(f"{alike[2]}")
    assert "Only glucose tells these rows from others" in holder.is_refused(*answer)
    sheet = ["find", "ledger.json", "people.csv", "--questions", "questions.csv", "--out", "sheet.csv"]
    holder.does(*sheet)
    assert pd.read_csv(holder.folder / "sheet.csv")["data row"].tolist() == ["1, 2 or 3"]
