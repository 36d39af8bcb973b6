"""The page: an answer at once, a recommendation by the rule, and nothing signed that was not decided."""

import re

import pytest
from deciding import FRAME, a_table, button, come, field, fill, seen, sign, simulation_of

from privbo_core.data import Frame, FrameColumn
from privbo_core.decision import Decision

READ_OFF = Frame((FRAME.columns[0], FrameColumn("dose", "mg", 0, 20, 0.5)))


@pytest.fixture(scope="module")
def own():
    return simulation_of(a_table())


def test_a_sample_is_decided_at_once_and_signed_with_a_name(expert):
    app = come(view="simple")
    said = seen(app)
    assert re.search(r"Recommended: ε = [\d.]+, the strongest protection that costs less than 3 mg/dL", said)
    assert "Draft, not signed" in said
    assert button(app, "sign").disabled
    sign(app)
    said = seen(app)
    assert "Draft" not in said
    assert re.search(r"Digest of what was decided: sha256:[0-9a-f]{64}", said)
    assert "A. Muster head of the ward" in said
    signed = app.session_state["own data/decision/signed"]
    assert isinstance(signed, Decision)
    assert signed.digest in said


def test_what_is_changed_after_the_signature_is_said_and_what_is_typed_stays(own):
    app = sign(come(own), **{"Notes": "Checked with the register office."})
    fill(app, "Decide for", "10")
    assert "Changed since it was signed" in seen(app)
    assert "Digest" not in seen(app)
    assert not button(app, "sign").disabled
    app.switch_page("pages/data.py").run()
    app.switch_page("pages/decision.py").run()
    assert field(app, "Who decides").value == "A. Muster, head of the ward"
    assert "Checked with the register office." in seen(app)
    fill(app, "Decide for", "recommended")
    assert "Changed" not in seen(app)


def test_a_limit_moves_the_recommendation_and_one_that_is_none_gets_a_sentence(own):
    app = come(own)
    said = [seen(fill(app, "It may cost", limit)) for limit in ("5", "0,2")]
    strongest = [float(re.search(r"Recommended: ε = ([\d.]+)", each)[1]) for each in said]
    assert strongest[0] <= strongest[1]
    assert "costs less than 0.2 of marker" in seen(app)
    for text in ("much", "0", "-1", "1e999", "nan"):
        fill(app, "It may cost", text)
        assert "limit is" in app.error[0].value.lower()
        assert "Recommended" in seen(app)  # by the limit that is proposed


def test_where_no_candidate_keeps_to_the_limit_none_is_recommended_and_one_may_be_chosen(own):
    app = fill(come(own, candidates="0.5, 0.4"), "It may cost", "0.0001")
    assert "None of these ε is recommended" in seen(app)
    assert "No ε is decided yet" in seen(app)
    fill(app, "Who decides", "A. Muster")
    assert button(app, "sign").disabled
    fill(app, "Decide for", "0.4")
    assert not button(app, "sign").disabled


def test_where_the_inputs_explain_nothing_no_cost_is_claimed_and_nothing_recommended():
    table = a_table()
    table["marker"] = table["marker"].sample(frac=1, random_state=4).to_numpy()
    app = come(simulation_of(table))
    said = seen(app)
    assert said.index("These inputs do not explain the outcome") < said.index("What is protected")
    assert "Nothing is recommended. Nothing to lose" in said
    assert "Recommended" not in said
    assert "worse by" not in said
    assert "mg" not in said.partition("Who decided")[0].partition("2 What each")[2]
    sign(fill(app, "Decide for", "1"))  # by the protection alone
    assert "Digest" in seen(app)


def test_a_frame_that_was_read_off_makes_it_conditional_and_has_to_be_accepted():
    app = come(simulation_of(a_table(), READ_OFF))
    said = seen(app)
    assert "Conditional, not proved." in said
    assert "'dose'" in said
    assert "on Data, type what was known beforehand" in said
    fill(app, "Who decides", "A. Muster")
    assert button(app, "sign").disabled
    assert any("dose" in error.value for error in app.error)
    app.checkbox(key="own data/made/decision/accepted").check().run()
    button(app, "sign").click().run()
    assert app.session_state["own data/decision/signed"].frame_accepted


def test_candidates_come_from_the_address_and_bad_ones_get_a_sentence(own):
    app = come(own, candidates="3, 1")
    assert field(app, "Candidates").value == "3, 1"
    assert app.query_params["candidates"] == "1, 3"
    fill(app, "Candidates", "1, two")
    assert "two" in app.error[0].value
    assert "Recommended" in seen(app) or "None of these" in seen(app)


def test_the_address_holds_no_name_no_note_and_nothing_of_the_data(own):
    app = sign(come(own), Notes="very secret", **{"The table": "ward 3"})
    address = str(dict(app.query_params))
    for secret in ("Muster", "secret", "ward", "own"):
        assert secret not in address


def test_names_that_are_markup_stay_text(own):
    app = sign(come(own), people="<script>alert(1)</script>, <b>x</b>", Notes='"><img src=x onerror=alert(1)>')
    (sheet,) = [each.proto.body for each in app.get("html") if "<article" in each.proto.body]
    assert "<script" not in sheet
    assert "<img" not in sheet
    assert "&lt;script&gt;" in sheet


def test_what_is_kept_is_forgotten_with_the_data(own):
    app = sign(come(own, a_table()), Notes="very secret")
    app.switch_page("pages/data.py").run()
    next(each for each in app.button if each.label == "Forget my data").click().run()
    assert not app.exception
    app.switch_page("pages/decision.py").run()
    said = seen(app)
    assert "Muster" not in said
    assert "secret" not in said
    assert "Digest" not in said
    assert field(app, "Who decides").value == ""
    assert "own data/decision/signed" not in app.session_state
