"""An order comes back as it was written, holds nothing of the data, and a hostile one gets a sentence."""

import io
import json
from dataclasses import asdict, replace

import pytest

from privbo_core.data import Frame, FrameColumn, sample
from privbo_core.decision import Decision, Person, Simulated, order_bytes, read_order
from privbo_core.decision.order import together
from privbo_core.errors import DataError
from privbo_core.outsourced import Outcome, Private
from privbo_core.privacy import Status
from tests.helpers.holding import FRAME, OUTCOME, PRIVATE, held
from tests.helpers.refusing import refusals

WHAT = (sample("hospital").frame, Outcome("free_light_chain", "mg/dL"), 2.0, 1e-6, 30)
WHO = ((Person("A. Muster", "head of the ward"), Person("Ł. Öz")), "2026-03-31", "patients of 2025")
DECISION = Decision(*WHAT, *WHO, "Two lines\nof notes; “quoted” <b>&amp;")
SIMULATED = {"starts": 4, "search": "ucb/5", "once": True}


def changed(**parts):
    found = json.loads(order_bytes(DECISION))
    found.update(parts)
    return io.BytesIO(json.dumps(found).encode())


def test_an_order_comes_back_as_it_was_written_with_these_parts_and_no_other():
    assert read_order(io.BytesIO(order_bytes(DECISION))) == DECISION
    assert order_bytes(read_order(io.BytesIO(order_bytes(DECISION)))) == order_bytes(DECISION)
    without = replace(DECISION, delta=0.0)
    assert read_order(io.BytesIO(order_bytes(without))) == without
    assert (DECISION.noise, without.noise, without.guarantee("").delta) == ("gaussian", "laplace", 0.0)
    private = replace(DECISION, private=PRIVATE)
    assert read_order(io.BytesIO(order_bytes(private))) == private
    assert json.loads(order_bytes(DECISION))["simulated"] == SIMULATED
    assert list(json.loads(order_bytes(DECISION))) == [
        "format", "version", "purpose", "epsilon", "delta", "epsilon_from", "protection", "first", "tests", "simulated",
        "outcome", "private", "frame", "conditional_accepted", "people", "day", "subject", "notes", "digest",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("epsilon", "delta", "word"),
    [(0.5, 1e-5, "very strong"), (1.0, 1e-5, "strong"), (2.0, 1e-5, "moderate"), (3.0, 1e-5, "weak"),
     (5.0, 1e-5, "hardly any"), (0.5, 0.0, "strong"), (1.0, 0.0, "moderate")],
)  # fmt: skip
def test_an_order_says_how_strongly_it_protects_and_on_what_that_rests(epsilon, delta, word):
    said = json.loads(order_bytes(replace(DECISION, epsilon=epsilon, delta=delta)))["protection"]
    assert said == f"{word}. {replace(DECISION, epsilon=epsilon, delta=delta).guarantee('').stands}"
    assert "only if ranges were known beforehand" in said


@pytest.mark.parametrize(
    "other",
    [{"epsilon": 2.5}, {"delta": 1e-5}, {"tests": 31}, {"day": "2026-04-01"}, {"notes": ""}, {"subject": "x"},
     {"people": DECISION.people[:1]}, {"outcome": Outcome("free_light_chain", "mg/dL", False)},
     {"frame": DECISION.frame.chosen(["age"])}, {"epsilon_from": "frame"}, {"private": PRIVATE},
     {"simulated": Simulated(starts=2)}, {"simulated": Simulated(search="ei")}, {"simulated": Simulated(once=False)}],
)  # fmt: skip
def test_the_digest_is_of_everything_that_was_decided(other):
    assert replace(DECISION, **other).digest != DECISION.digest


def test_an_order_says_what_inputs_and_an_answer_are_promised_together():
    private = Private(0, 20, 1, 0.5, 1e-7)
    with pytest.raises(DataError, match="range of private answers was known"):
        replace(DECISION, private=private)
    order = replace(DECISION, private=private, conditional_accepted=True)
    assert f"Inputs and an answer: ε = {order.cost.both:.3g}." in order.protection
    assert "Of the answers: Conditional: only if the outcome" in order.protection
    known = replace(DECISION, private=replace(private, known_from="What the device can show."))
    assert "Of the answers: Proved, if the outcome" in known.protection


test_an_order_that_cannot_be_gets_one_sentence = refusals(
    *((parts, "changed after it was signed") for parts in (
        {"epsilon": 20.0}, {"simulated": SIMULATED | {"once": False}}, {"protection": "very strong"},
        {"digest": "sha256:0"},
    )),
    *(({"version": version}, "reads version 8") for version in (0, 1, 7, "8", True)),
    ({"version": 9}, "update the program"),
    ({"epsilon": 0}, "above 0"), ({"epsilon": "2"}, "must be a number"), ({"epsilon": True}, "must be a number"),
    ({"delta": 1}, "between 0 and 1"), ({"delta": -0.1}, "between 0 and 1"),
    ({"tests": 0}, "whole number"), ({"tests": 1.5}, "whole number"),
    ({"people": []}, "names 0 people"), ({"people": [{"name": "x", "role": ""}] * 7}, "names 7 people"),
    ({"people": {"name": "x"}}, "must be a list"), ({"people": [{"name": "x" * 81, "role": ""}]}, "longer than 80"),
    ({"people": [{"name": " ", "role": ""}]}, "name of who decided is empty"),
    ({"day": "31.3.2026"}, "must be a date"), ({"day": 7}, "must be a text"),
    ({"protection": None}, "protection of the order is None"), ({"digest": None}, "digest of the order is None"),
    ({"notes": "x" * 601}, "longer than 600"), ({"notes": None}, "must be a text"),
    ({"frame": None}, "frame"), ({"outcome": {}}, "outcome"), ({"conditional_accepted": 1}, "true or false"),
    ({"purpose": "publish"}, "purpose"), ({"format": "privbo frame"}, "'privbo order'"),
    ({"simulated": None}, "simulated of the order"), ({"simulated": {"starts": 4}}, "simulated of the order"),
    ({"simulated": SIMULATED | {"log_outcome": True}}, "has the key 'log_outcome'"),
    ({"epsilon_from": "luck"}, "epsilon_from of the order is 'luck'"),
    ({"epsilon_from": None}, "must be one of 'frame'"),
    ({"simulated": SIMULATED | {"starts": 5}}, "starts of simulated of the order"),
    ({"simulated": SIMULATED | {"search": ["ei"]}}, "must be one of 'ucb'"),
    ({"simulated": SIMULATED | {"once": None}}, "once of simulated of the order"),
    ({"simulated": SIMULATED | {"lengthscales": [1.0, 2.0]}}, "has the key 'lengthscales'"),
    ({"private": {"low": 0}}, "private of the order"),
    ({"private": asdict(PRIVATE) | {"low": 300}}, "low must be below"),
    ({"private": asdict(PRIVATE)}, "changed after it was signed"), ({"rows": [1, 2]}, "has the key 'rows'"),
    act=lambda parts: read_order(changed(**parts)),
    error=DataError,
)  # fmt: skip


@pytest.mark.parametrize("private", [None, PRIVATE, replace(PRIVATE, delta=0.0, noise="laplace")])
def test_an_order_costs_what_the_ledger_will_count(private):
    curator = held()
    curator.release_whole(FRAME, DECISION.epsilon, DECISION.delta, outcome=OUTCOME, private=private)
    curator.answer(1)
    ordered = replace(DECISION, frame=FRAME, private=private)
    assert vars(ordered.cost) == pytest.approx(vars(curator.ledger.cost()))
    kept, line, _ = together(ordered.guarantee(""), FRAME, ordered.noise, private)
    spent = ordered.cost.both if private else ordered.cost.inputs
    assert kept.epsilon == pytest.approx(spent)
    assert line.epsilon(max(kept.delta, 1e-12)) == pytest.approx(spent, rel=1e-3)  # not of the inputs alone


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"\xff", b"{" * 100_000, b'{"format": NaN}', b'{"a": 1, "a": 2}', b" " * 400_001]
)
def test_a_file_that_is_no_order_gets_one_sentence(content):
    with pytest.raises(DataError):
        read_order(io.BytesIO(content))


def test_a_frame_that_was_read_off_has_to_be_accepted():
    read_off = Frame((FrameColumn("age", "years", 0, 100, 2),))
    with pytest.raises(DataError, match="'age'"):
        replace(DECISION, frame=read_off)
    accepted = replace(DECISION, frame=read_off, conditional_accepted=True)
    assert read_order(io.BytesIO(order_bytes(accepted))) == accepted
    guessed = replace(DECISION.frame, written_from="x")
    with pytest.raises(DataError, match="how the table is written was known before"):
        replace(DECISION, frame=guessed)
    signed = replace(DECISION, frame=guessed, conditional_accepted=True)
    assert signed.guarantee("n").status is Status.CONDITIONAL
    assert read_order(io.BytesIO(order_bytes(signed))) == signed
    unknown = replace(PRIVATE, known_from="")
    for order in (accepted, signed, replace(DECISION, private=unknown, conditional_accepted=True)):
        with pytest.raises(DataError, match="may have been read off the data, and ε with them"):
            replace(order, epsilon_from="frame")
