"""Files in: what is detected, and the sentence that each kind of bad file gets."""

import gzip
import io
import tracemalloc

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from privbo_core.data import layout
from privbo_core.data.source import MAX_BYTES
from tests.helpers.refusing import refusals

load = pb.data.load_table

PLAIN = "x,name,y\n1.5,Zoë,10\n2.5,Ann,20\n"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_delimiters_encodings_and_line_ends_make_the_same_table(delimiter, encoding, ending):
    text = PLAIN.replace(",", delimiter).replace("\n", ending)
    table = load(text.encode(encoding))
    assert table.to_dict("list") == {"x": [1.5, 2.5], "name": ["Zoë", "Ann"], "y": [10, 20]}


def test_a_path_bytes_and_an_open_file_are_the_same(tmp_path):
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(PLAIN.encode()))
    used = io.BytesIO(PLAIN.encode())
    used.read(7)  # an upload that somebody has looked into already
    for source in (path, str(path), path.read_bytes(), used):
        pd.testing.assert_frame_equal(load(source), load(PLAIN.encode()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a;b\n1,5;2\n3,25;4\n", [1.5, 3.25]),
        ("a;b\n1.234,5;2\n2.000,0;4\n", [1234.5, 2000.0]),
        ('a,b\n"1,234.5",2\n"2,000",4\n', [1234.5, 2000.0]),
        ('a,b\n"1,234",2\n"2,500",4\n', [1234.0, 2500.0]),  # beside a comma that separates, a comma groups
        ("a;b\n1,234;2\n2,500;4\n", [1.234, 2.5]),  # beside a semicolon it is the decimal mark
        ("a;b\n1,234;0.5\n2,500;1.5\n", [1234.0, 2500.0]),  # unless the file has decimal points
        ("a;b\n1.234;2,5\n2.500;4,5\n", [1234.0, 2500.0]),  # a decimal comma elsewhere makes these points group
        ("a;b\n1.5;2,5\n2.25;4,5\n", [1.5, 2.25]),  # but not where they cannot
        ("a,b\n1 234 567,2\n12\u00a0000,4\n", [1234567.0, 12000.0]),
        ("a,b\n1'234,2\n5,4\n", [1234.0, 5.0]),
        ("a,b\n\u22124,2\n+5,4\n", [-4.0, 5.0]),
        ("a,b\n1e3,2\n1e400,4\n", [1000.0, np.inf]),
        ("a,b\n 7 ,2\n n/a ,4\n", [7.0, np.nan]),
    ],
)
def test_numbers_as_people_write_them(text, expected):
    np.testing.assert_array_equal(load(text.encode())["a"], expected)


@pytest.mark.parametrize("cell", ["1,23,4", "1.2.3", "0x10", "1_000", "12 34", "12 5678", "5%", "=1+1", "1e"])
def test_what_is_not_a_number_stays_text(cell):
    table = load(f'a,b\n"{cell}",1\n5,2\n'.encode())
    assert table["a"].tolist() == [cell, "5"]


def test_names_are_text_and_never_lost():
    table = load(b'<b>x</b>,=SUM(A1),"two\nlines",,\n1,2,3,4,5\n6,7,8,9,0\n')
    assert list(table.columns) == ["<b>x</b>", "=SUM(A1)", "two lines", "column 4", "column 5"]
    assert "Column 4 and 5 had no name" in table.attrs["notes"][0]
    assert list(load(b"column 1,\n1,2\n3,4\n").columns) == ["column 1", "column 2"]


def test_a_header_of_numbers_and_old_letters_are_pointed_out():
    assert "is it missing?" in load(b"1,2\n3,4\n5,6\n").attrs["notes"][0]
    assert "Windows-1252" in load(PLAIN.encode("cp1252")).attrs["notes"][0]
    assert load(PLAIN.encode()).attrs["notes"] == ()


def test_quotes_blank_lines_and_excels_first_line():
    table = load(b'sep=;\r\n\r\na;b\r\n"x; ""y""\nz";1\r\n\r\n;2\r\n')
    assert table["b"].tolist() == [1, 2]
    assert table["a"][0] == 'x; "y"\nz'
    assert pd.isna(table["a"][1])


test_bad_files_are_refused = refusals(
    (b"", "The file is empty"),
    (b"\n \r\n", "The file is empty"),
    (b"a,b\n", "only a row of names. At least two rows"),
    (b"a,b\n1,2\n", "one row of data"),
    (b"a,b\n1,2\n1,2,3\n", "Line 3 has 3 fields, but the names above make 2 columns"),
    (b"a,b,c\n1,2,3\n\n1,2\n", "Line 4 has 2 fields"),
    (b"a b\n1 2\n3 4\n", "Only one column was found"),
    (b'a,b\n1,"2\n3,4\n', "quotation mark"),
    (b"PK\x03\x04rest", "an Excel workbook"),
    (b"\x89PNG\r\n\x1a\n\x00", "a picture"),
    (b"a,b\n1,2\n3,\x00\n", "not text"),
    (bytes(range(256)) * 4, "not text"),
    (b"\xff\xfea,b", "promise UTF-16, but the rest is not"),
    (b"\x1f\x8bdamaged", "gzip archive but is damaged"),
    (gzip.compress(PLAIN.encode(), mtime=0)[:-9], "gzip archive but is damaged"),
    (gzip.compress(gzip.compress(PLAIN.encode(), mtime=0), mtime=0), "compressed twice"),
    (",".join(f"c{i}" for i in range(10_000)).encode(), "10,000 columns. At most 1,000"),
    act=load,
    error=pb.DataError,
)


def test_large_and_unreadable_files_are_refused_unread(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(300_000_000)
    cases = [(tmp_path / "no.csv", r"'no\.csv' cannot be read"), (io.StringIO(PLAIN), "Open it in binary mode")]
    with path.open("rb") as file:
        for source, words in (*cases, (path, "The file is 300 MB. At most 200 MB"), (file, "The file is 300 MB")):
            with pytest.raises(pb.DataError, match=words):
                load(source)


def test_a_gzip_bomb_is_not_unpacked():
    bomb = io.BytesIO()
    with gzip.GzipFile(fileobj=bomb, mode="wb", compresslevel=1) as stream:
        stream.writelines([b"\0" * 1_000_000] * 210)
    tracemalloc.start()
    with pytest.raises(pb.DataError, match=r"unpacks to more than .. MB, more than a packed file of its size may"):
        load(bomb.getvalue())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2.5 * MAX_BYTES


def test_too_many_rows_or_cells_are_refused(monkeypatch):
    monkeypatch.setattr(layout, "MAX_ROWS", 3)
    assert len(load(b"a,b\n" + b"1,2\n" * 3)) == 3
    with pytest.raises(pb.DataError, match="more than 3 rows"):
        load(b"a,b\n" + b"1,2\n" * 4)
    monkeypatch.setattr(layout, "MAX_CELLS", 5)
    with pytest.raises(pb.DataError, match="more than 5 cells"):
        load(b"a,b\n" + b"1,2\n" * 3)


def test_columns_are_described_for_the_picker():
    table = load(
        b"n,mixed,when,sex,id,same,none\n"
        + b"".join(f"{i},{i if i % 3 else 'x'},2020-01-{i + 1:02d},{'FM'[i % 2]},k{i},7,\n".encode() for i in range(30))
    )
    assert [(column.name, column.kind, column.usable) for column in pb.data.describe(table)] == [
        ("n", "number", 30), ("mixed", "number", 20), ("when", "date", 30), ("sex", "category", 30),
        ("id", "text", 30), ("same", "constant", 30), ("none", "empty", 0),
    ]  # fmt: skip


def test_exported_text_is_no_formula():
    cells = ["=1+1", "+1", "-1", "@x", "\tx", "\r=x", " =1", "plain", None]
    table = pd.DataFrame({"=name": cells, "n": [-1.5, *range(8)]})
    back = pd.read_csv(io.StringIO(pb.data.to_csv(table), newline=""), keep_default_na=False)
    assert back.columns[0] == "'=name"
    assert back.iloc[:, 0].tolist() == ["'" + cell for cell in cells[:7]] + ["plain", ""]
    assert back["n"][0] == -1.5
    assert table["=name"].tolist()[0] == "=1+1"


def test_private_use_characters_are_left_out():
    table = load("\ue000a\ue001,b\nx\ue002y,1\n\uf8ffz,2\n".encode())
    assert list(table.columns) == ["a", "b"]
    assert table["a"].tolist() == ["xy", "z"]


@pytest.mark.parametrize(
    ("cells", "codes"),
    [
        ("18 40 85 99999", "99999"),
        ("18 40 85 999 99999", "99999 999"),
        ("0 3 7 -9", "-9"),
        ("0 3 7 -9 -99", "-99 -9"),
        ("-5 -9 3 7", ""),
        ("18 40 85 99", ""),
        ("18 40 85 1000", ""),
        ("500 700 950 999", ""),
        ("-7 3 -99999 7 99999", "-99999 99999"),
    ],
)
def test_codes_for_missing_values_are_asked_about(cells, codes):
    data = "\n".join(["age;y", *(f"{cell};{i},5" for i, cell in enumerate(cells.split()))]).encode()
    read = pb.data.read_table(data)
    assert {code for question in read.questions for code in question.examples} == set(codes.split())
    assert list(read.table["age"]) == list(map(float, cells.split()))
    said = pb.data.read_table(data, {"age": [code for question in read.questions for code in question.amounts]})
    assert list(said.table["age"].isna()) == [cell in codes.split() for cell in cells.split()]
    assert not said.questions
    assert not pb.data.read_table(data, {"age": ()}).questions
    with pytest.raises(pb.DataError, match="no column 'ages'"):
        load(data, {"ages": ()})


def column_of(*cells):
    return "\n".join(["x\ty", *(f"{cell}\t{i}" for i, cell in enumerate(cells))]).encode()


HEIGHTS = [*(str(160 + 3 * i) for i in range(14)), "1,74", "1,81"]
SIZES = ["5.25", "6.5", "7.1", "8.25", "9.5", "5.75", "6.1", "7.7", "8.9", "9.2", "4.5", "525", "710"]


@pytest.mark.parametrize(
    ("cells", "kind", "examples", "rows", "values"),
    [
        (["$120,259", "120259", "$98,100", "88100"], "unit", ("$120,259", "$98,100", "120259"), 2, [120259] * 2),
        (["€ 5", "7,5"], "unit", ("€ 5", "7,5"), 1, [5, 7.5]),
        (["12k", "3.4M", "900", "1k", "2k"], "multiplier", ("12k", "3.4M", "1k"), 4, [12e3, 3.4e6]),
        (SIZES, "hundredfold", ("525", "710"), 2, [5.25, 6.5]),
        (HEIGHTS, "hundredth", ("1.74", "1.81"), 2, [160, 163]),
    ],
)
def test_ambiguous_numbers_are_asked_about_with_three_examples(cells, kind, examples, rows, values):
    data = column_of(*cells)
    read = pb.data.read_table(data)
    (question,) = read.questions
    assert (question.column, question.kind, question.examples, question.rows) == ("x", kind, examples, rows)
    assert read.table["x"].tolist()[:2] == values
    assert hash(question)
    if kind in ("hundredfold", "hundredth"):
        assert not question.assumed
        said = pb.data.read_table(data, **{kind: {"x": question.amounts}})
        assert said.table["x"].tolist()[-2:] == ([5.25, 7.1] if kind == "hundredfold" else [174, 181])
        assert not pb.data.read_table(data, **{kind: {"x": ()}}).questions
    else:
        assert question.assumed
        said = pb.data.read_table(data, text=["x"])
        assert said.table["x"].tolist() == cells
    assert not said.questions


@pytest.mark.parametrize(
    "cells",
    [
        ["5", "6", "500", "600"] * 9,
        ["0.5", "0.7", "50.5", "60.5"] * 9,
        [f"{1.5**i:.2f}" for i in range(40)],
        ["2.225e-311", *(f"{i}.5" for i in range(5, 25))],  # whose ratio is more than a double can hold
    ],
)
def test_spread_out_values_are_not_asked_about(cells):
    assert not pb.data.read_table(column_of(*cells)).questions


FLOWERS = "5.1,3.5,setosa\n4.9,3.0,setosa\n4.7,3.2,setosa\n6.0,2.2,virginica\n"


@pytest.mark.parametrize(
    ("text", "names", "rows", "asked"),
    [
        (FLOWERS, ["column 1", "column 2", "column 3"], 4, [False]),
        ("Ann;23\nBob;31\nCy;40\nDi;22\n", ["column 1", "column 2"], 4, [False]),
        ("01.02.2020;1,5\n02.03.2020;2,5\n03.04.2020;3\n04.05.2020;4\n", ["column 1", "column 2"], 4, [False]),
        ("0,1,2\n1.5,2,3\n2,3,4\n5,6,7\n", ["0", "1", "2"], 3, [True]),
        ("2010,7.5\n9.5,2.5\n8.5,3.5\n7.5,6.5\n", ["column 1", "column 2"], 4, [False]),
        ("land,2010,2011\nA,1.5,2\nB,2,3\nC,5,6\n", ["land", "2010", "2011"], 3, []),
        ("land,1/22/20,1/23/20\nA,1.5,2\nB,2,3\nC,5,6\n", ["land", "1/22/20", "1/23/20"], 3, []),
        ("a,b\n1,2\n3,4\n5,6\n", ["a", "b"], 3, []),
        ("a,b\nx,y\nz,w\nu,v\n", ["a", "b"], 3, []),
    ],
)
def test_a_missing_header_is_detected_and_asked_about(text, names, rows, asked):
    read = pb.data.read_table(text.encode())
    assert (list(read.table.columns), len(read.table)) == (names, rows)
    assert [question.assumed for question in read.questions if question.kind == "header"] == asked
    first = text.split("\n")[0].split(";" if ";" in text else ",")
    with_header, without = (pb.data.read_table(text.encode(), header=header) for header in (True, False))
    assert (len(with_header.table), len(without.table)) == (len(text.split("\n")) - 2, len(text.split("\n")) - 1)
    if "." not in first[0]:
        assert list(with_header.table.columns) == first
    assert list(without.table.columns) == [f"column {place}" for place in range(1, len(first) + 1)]
    assert not with_header.questions
    assert not without.questions


def test_numbers_beside_words_are_rewritten_and_the_words_stay():
    read = load(column_of("€ 1.234,5", "€ 7", "ask us", "007", "-", "9"))
    assert read["x"].tolist()[:4] == ["1234.5", "7.0", "ask us", "007"]
    assert pb.data.describe(read)[0].usable == 4
    codes = load(column_of("007", "A12", "B-3", "12,5"))
    assert codes["x"].tolist() == ["007", "A12", "B-3", "12,5"]


def test_truth_values_stay_words_also_beside_gaps():
    assert load(column_of("True", "False", "True"))["x"].tolist() == ["True", "False", "True"]
    gaps = load(column_of("True", "", "False"))["x"]
    assert gaps.isna().tolist() == [False, True, False]
    assert gaps[0] == "True"
