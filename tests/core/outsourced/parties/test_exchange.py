"""The small files that go back and forth: they arrive as they were sent, and what is none is one sentence."""

import pytest

from privbo_core.outsourced import answers_csv, read_answers, read_outcomes, read_questions, write_questions
from tests.helpers.holding import held, released, sentence

QUESTIONS = {
    "": "empty",
    "row\n": "empty",
    "row\n0\n": "'0' in line 2",
    "row\n-3\n": "'-3' in line 2",
    "row\n1.5\n": "'1.5' in line 2",
    "row\n3\nx\n": "'x' in line 3",
    "row,row\n3,3\n": "more than one column 'row'",
    "rows\n3\n": "'rows' in line 1",
    "1\n2\n9999999999\n": "'9999999999' in line 3",
    "3, 4, five": "'five' in line 1",
    b"\xff\xfer\x00o\x00w\x00": "not a text in UTF-8",
    "ro\0w": "not a text in UTF-8",
}

ANSWERS = {
    "": "no column 'row'",
    "row,outcome\n": "empty",
    "row\n3\n": "no column 'outcome'",
    "row,outcome\n3,\n": "'' in line 2",
    "row,outcome\n3\n": "'' in line 2",
    "row,outcome\n3,nan\n": "'nan' in line 2",
    "row,outcome\n3,inf\n": "'inf' in line 2",
    "row,outcome\n3,1e200\n": "between ±1e100",
    "row,outcome\n3,12 mg\n": "'12 mg' in line 2",
    "row,outcome\n3,1_0\n": "'1_0' in line 2",
    "row,outcome\n3,1\n4,2\n3,1\n": "row 3 twice",
    "row,outcome\nx,1\n": "'x' in line 2",
    'row,outcome\n3,"1\n': "line 2",
}


@pytest.mark.parametrize(("read", "known"), [(read_questions, QUESTIONS), (read_answers, ANSWERS)])
def test_questions_and_answers_that_are_none(read, known):
    for text, words in known.items():
        assert words in sentence(read, text), repr(text)


def test_questions_and_answers_arrive_as_they_were_sent():
    assert read_questions(write_questions([3, 1, 12])) == (3, 1, 12)
    assert read_questions("3 1,12;1\n7") == (3, 1, 12, 7)
    assert read_questions(b"\xef\xbb\xbfwhy;Row\r\nfar;3\r\n;\r\nnear;4\r\n") == (3, 4)
    told = {3: 0.1 + 0.2, 1: -5.0, 12: 1e-17}
    assert read_answers(answers_csv(told)) == read_answers(answers_csv(told).encode()) == told
    assert read_outcomes("row;name;outcome\n3;Ann;1,5\n4;Bob;\n\n5;Cy;-2") == {3: 1.5, 5: -2.0}
    curator = held()
    released(curator)
    given = [curator.answer(row) for row in (2, 5)]
    sent = answers_csv(given)
    assert read_answers(sent) == {answer.row: answer.value for answer in given}
    assert sent.splitlines()[0] == "row,outcome"
    assert all(len(line.split(",")) == 2 for line in sent.splitlines())


def test_what_is_of_another_release_says_so():
    curator = held()
    first, second = released(curator), released(curator, again=True)
    names = [each.name for each in (first, second)]
    assert names == [each.name for each in curator.ledger.releases]
    assert [name[:2] for name in names] == ["1-", "2-"]
    questions, given = write_questions([3, 1], names[0]), answers_csv({3: 1.5, 1: -2.0}, names[0])
    assert read_questions(questions, names[0]) == read_questions(questions) == (3, 1)
    assert read_answers(given, names[0]) == read_answers(given) == {3: 1.5, 1: -2.0}
    for read, text in ((read_questions, questions), (read_answers, given), (read_outcomes, given)):
        said = sentence(read, text, names[1])
        assert all(name in said for name in names)
    # Files that do not say what they are of are taken as they are, from a spreadsheet for example.
    assert read_answers("row,outcome,release\n3,1.5,\n", names[1]) == {3: 1.5}
