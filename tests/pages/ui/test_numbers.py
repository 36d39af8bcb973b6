"""Numbers as people and papers write them: what is read, what is refused, and what is written can be read again."""

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.numbers import MINUS, count, parse_number, power_of_ten, rounded_up, signed, significant, with_error

SIZES = st.floats(1e-12, 1e12)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        (" 3 ", 3),
        ("+3", 3),
        ("−3", -3),
        ("–3", -3),
        ("-3.5", -3.5),
        ("5.", 5),
        (".5", 0.5),
        (",5", 0.5),
        ("0,5", 0.5),
        ("0.5", 0.5),
        ("0,125", 0.125),  # a group of thousands doesn't begin with a zero
        ("0,001", 0.001),
        ("12,5", 12.5),
        ("12,34", 12.34),
        ("6,524", 6524),
        ("-6,524", -6524),
        ("6,524.25", 6524.25),
        ("1,234,567", 1234567),
        ("6 524", 6524),
        ("6\u00a0524", 6524),
        ("6\u202f524", 6524),
        ("6’524", 6524),
        ("1e-5", 1e-5),
        ("1E-5", 1e-5),
        ("1e−5", 1e-5),
        ("2,5e3", 2500),
        ("10^-5", 1e-5),
        ("10^−5", 1e-5),
        ("10 ^ -5", 1e-5),
        ("10^(-5)", 1e-5),
        ("10⁻⁵", 1e-5),
        ("10⁵", 1e5),
        ("2 × 10⁻⁵", 2e-5),
        ("2.5·10^-5", 2.5e-5),
        ("3*10^2", 300),
        ("2x10^-5", 2e-5),
        ("e^1.1", math.exp(1.1)),
        ("e^1,1", math.exp(1.1)),
        ("e^-1", math.exp(-1)),
        ("E^5", math.exp(5)),
        ("e^(1.5)", math.exp(1.5)),
        ("2 × e^1.1", 2 * math.exp(1.1)),
    ],
)
def test_every_common_form_of_a_number_is_read(text, value):
    assert parse_number(text) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ".", ",", "-", "e", "e^", "^2", "10^", "2^3", "e^^1", "e^1^1", "10^10^10"),
        *("abc", "nan", "inf", "-inf", "infinity", "None", "true", "<b>", "1e999", "10^400", "e^1000", "10^-301"),
        *("--3", "+-3", "3%", "3€", "1_000", "1.2.3", "1,2,3", "1,23,456", "1.234,5", "3 4", "1 23"),
        *("٣", "Ⅷ", "½", "3;4", "1e", "1e5.5", "=1+1", "9" * 41, "1" * 100_000, "×", "2 ×", "1 × 2 × x", "\ud800"),
    ],
)
def test_what_is_no_number_is_refused(text):
    with pytest.raises(ValueError, match=r"number|range|float"):
        parse_number(text)


@given(st.text(max_size=50))
def test_any_text_is_a_finite_number_or_refused(text):
    with contextlib.suppress(ValueError):
        assert math.isfinite(parse_number(text))


@given(SIZES, st.booleans())
def test_what_is_written_can_be_typed(size, negative):
    value = -size if negative else size
    assert parse_number(repr(value)) == value
    assert parse_number(f"{value:.6g}") == pytest.approx(value, rel=1e-5)
    assert parse_number(f"{value:,.3f}") == pytest.approx(value, abs=6e-4)
    assert parse_number(power_of_ten(size)) == pytest.approx(size, rel=6e-3)


@given(st.floats(-600, 600))
def test_powers_of_e_can_be_typed_as_the_papers_write_them(power):
    assert parse_number(f"e^{power / 10:.4f}") == pytest.approx(math.exp(round(power / 10, 4)), rel=1e-9)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((0, "0"), (1, "1"), (3.14159, "3.142"), (0.001, "0.001"), (1234.5, "1,234"), (9999.7, "10,000")),
        *((12345, "12,345"), (1e-5, "10⁻⁵"), (2e-5, "2 × 10⁻⁵"), (9.999e-6, "10⁻⁵"), (3e7, "3 × 10⁷"), (1e9, "10⁹")),
        *((-1e-5, f"{MINUS}10⁻⁵"), (-3, f"{MINUS}3"), (99999.7, "100,000")),
    ],
)
def test_small_and_large_numbers_are_powers_of_ten(value, text):
    assert power_of_ten(value) == text


@given(st.floats(-1e6, 1e6), st.floats(1e-7, 1e3))
def test_a_number_has_the_digits_that_its_error_supports(value, error):
    text = with_error(value, error)
    _, _, decimals = text.partition(".")
    assert float(text.replace(MINUS, "-")) == pytest.approx(value, abs=0.51 * 10.0 ** -len(decimals))
    assert len(decimals) <= 4
    if 3e-4 <= error < 3:
        # The last decimal is at most a third of the error, and the one before it would not be.
        assert 10.0 ** -len(decimals) <= error / 3 * (1 + 1e-9) < 10.0 ** (1 - len(decimals)) * (1 + 1e-6)
    assert len(decimals) == 0 or error < 3
    assert "-" not in text


@pytest.mark.parametrize("error", [0.0, -1.0, math.nan, math.inf])
def test_an_unknown_error_leaves_three_digits(error):
    assert with_error(0.12345, error) == "0.123"


def test_negative_numbers_have_a_minus_sign_and_zero_has_none():
    assert signed(-0.059, 3) == f"{MINUS}0.059"
    assert signed(-0.0001, 3) == "0.000"
    assert with_error(-0.0001, 0.01) == "0.000"


def test_a_count_has_its_noun():
    assert count(1, "test", "tests") == "1 test"
    assert count(0, "test", "tests") == "0 tests"
    assert count(6524, "test", "tests") == "6,524 tests"


@given(st.floats(1e-6, 1e9))
def test_a_number_is_rounded_up_to_four_digits(value):
    found = rounded_up(value)
    assert value * (1 - 1e-9) <= found <= value * 1.001 * (1 + 1e-9)
    assert found == float(f"{found:.4g}")


@pytest.mark.parametrize(
    ("value", "text"),
    [(3090.4, "3,090"), (999.6, "1,000"), (0.012345, "0.0123"), (-205_123, f"{MINUS}205,000"), (0.0, "0"), (7.0, "7")],
)
def test_three_significant_digits_have_no_exponent(value, text):
    assert significant(value) == text


@given(SIZES)
def test_significant_digits_can_be_read_again(value):
    assert parse_number(significant(value)) == pytest.approx(value, rel=0.006)
