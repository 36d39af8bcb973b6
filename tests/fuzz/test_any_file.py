"""Whatever the bytes of an upload, the outcome is a valid problem or a sentence."""

import gzip
import random

from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from tests.helpers.amounts import few
from tests.helpers.pipeline import check, problem_from
from tests.helpers.refusing import refusals

CELLS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True).map(repr),
    st.floats(-1e3, 1e3).map(lambda x: f"{x:.2f}"),
    st.floats(-1e3, 1e3).map(lambda x: f"{x:.2f}".replace(".", ",")),
    st.integers(-(10**30), 10**30).map(str),
    st.integers(0, 10**7).map(lambda x: f"{x:,}"),
    st.integers(0, 10**7).map(lambda x: f"{x:,}".replace(",", " ")),
    st.dates().map(str),
    st.dates().map(lambda d: d.strftime("%d/%m/%Y")),
    st.sampled_from(
        ["", "NA", "nan", "inf", "-inf", "1e400", "1e-400", "1e300", "-0", "+5", "1_000", "0x1F", "1.", ".5"]
    ),
    st.sampled_from([".", ",", "-", "12%", "$3", "1.2.3", "1,2,3", "1e", "e5", "True", "now", "٣", "−4", "\t", " "]),
    st.sampled_from(["<b>x</b>", "=1+1", "@x", "a", "b", "2263-01-01", "0001-01-01", "31/02/2020"]),
    st.text(max_size=6),
)
COLUMNS = st.sampled_from(
    [
        st.integers(-5, 5).map(str),
        st.floats(-1e6, 1e6).map(repr),
        st.floats(0.01, 1e6).map(lambda x: f"{x:,.2f}"),
        st.floats(0.01, 1e6).map(lambda x: f"{x:,.2f}".translate(str.maketrans(",.", ".,"))),
        st.sampled_from(["red", "green", "blue"]),
        st.dates().map(str),
        CELLS,
    ]
)
NAMES = st.one_of(st.sampled_from(["x", "y", "z", "price", "=A1", "<i>", "", " ", "7"]), st.text(max_size=5))


@st.composite
def files(draw):
    """Draw the bytes of a table: mostly regular, with anything in a cell, sometimes damaged."""
    width, height = draw(st.sampled_from([3, 2, 4, 5, 1])), draw(st.sampled_from([8, 5, 12, 20, 2, 1, 0]))
    kinds = [draw(COLUMNS) for _ in range(width)]
    unusual = draw(st.integers(0, 20))
    delimiter = draw(st.sampled_from(",;\t|"))
    quote = draw(st.booleans())

    def field(text):
        return '"' + text.replace('"', '""') + '"' if quote or {delimiter, "\n", '"'} & {*text} else text

    unique = draw(st.sampled_from([True, True, True, False]))
    names = [f"c{i}" for i in range(width)] if unique else [draw(NAMES) for _ in range(width)]
    lines = [delimiter.join(map(field, names))]
    for row in range(height):
        cells = [draw(CELLS if unusual == row else kind) for kind in kinds]
        lines.append(delimiter.join(map(field, cells)))
    text = draw(st.sampled_from(["\n", "\r\n", "\r"])).join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"]))
    data = text.encode(encoding, errors="replace")
    damage = draw(st.sampled_from([*["none"] * 9, "cut", "insert", "gzip", "cut gzip"]))
    if damage.endswith("gzip"):
        data = gzip.compress(data, mtime=0)
    if damage.startswith("cut"):
        data = data[: draw(st.integers(0, len(data)))]
    if damage == "insert":
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.binary(max_size=4)) + data[at:]
    return data


def outcome(data, **options):
    try:
        problem = problem_from(data, **options)
    except pb.DataError as error:
        sentence = str(error)
    else:
        check(problem)
        return "problem"
    assert len(sentence) > 20
    assert sentence.endswith(".")
    return "refused"


@settings(max_examples=few(80, 1400), deadline=None, derandomize=True)
@given(files(), st.booleans(), st.booleans())
def test_generated_tables(data, log_output, maximize):
    outcome(data, log_output=log_output, maximize=maximize)


@settings(max_examples=few(100, 700), deadline=None, derandomize=True)
@given(st.binary(max_size=300) | st.text(alphabet="abc019.,;-+eE\"'\n\r\t| \0", max_size=200).map(str.encode))
def test_arbitrary_bytes(data):
    outcome(data)


@settings(max_examples=few(15, 150), deadline=None, derandomize=True)
@given(st.data())
def test_regular_tables_become_problems(data):
    """The other tests would pass if everything were refused: a table without a flaw must not be."""
    height = data.draw(st.integers(6, 15))
    rng = random.Random(data.draw(st.integers(0, 10**6)))
    delimiter, comma = data.draw(st.sampled_from([(",", False), (";", True), ("\t", True), ("|", False), (";", False)]))
    rows = [[f"{rng.gauss(0, 1000):.2f}" for _ in range(3)] for _ in range(height)]
    text = "\n".join(delimiter.join(row) for row in [["a", "b", "y"], *rows])
    text = text.replace(".", ",") if comma else text
    encoding = data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]))
    assert outcome(text.encode(encoding)) == "problem"
    problem = problem_from(text.encode(encoding))
    assert problem.original[0, 0] == float(rows[0][0])


ROWS = "".join(f"{i},{i * i % 7},{i * 3 % 5}\n" for i in range(12))


test_what_is_seldom_drawn_gets_its_sentence_too = refusals(
    (f"a,b,y\n{'x' * 140_000},2,3\n{ROWS}", "Line 2 cannot be read .*quotation mark is missing"),
    (f"a,b,y\n{ROWS}Total,9\n{ROWS}", "Line 14 has 2 fields, but the names above make 3"),
    (f"a,b,y\n{ROWS}see below\n{ROWS}", "Line 14 has 1 field, but the names above make 3"),
    act=lambda text: pb.data.load_table(text.encode()),
    error=pb.DataError,
)


def test_what_is_seldom_drawn_is_read():
    lines = (f"{i},{i * i % 7 if i else ''},{4 if i else 5},{i % 2 == 0},{i * 3 % 5}" for i in range(14))
    table = pb.data.load_table("\n".join(["a,b,same,flag,y", *lines]).encode())
    assert table["flag"].tolist()[:2] == ["True", "False"]
    assert pb.data.propose(table).left_out["same"] == "it has one value in the rows that can be used"
