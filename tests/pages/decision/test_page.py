"""The page: an answer at once, a recommendation by the rule, and nothing signed that was not decided."""

import math
import re

import pytest

from pages.parts.decision import figures, question
from pages.parts.decision.figures import costs
from pages.parts.decision.words import interval
from privbo_core.data import Frame, FrameColumn
from privbo_core.decision import Decision
from privbo_core.outsourced import Difference
from privbo_core.privacy import Strength, worst_case_belief
from privbo_core.privacy.guarantee import BELIEFS
from tests.helpers.bench import errors
from tests.helpers.bench import said as all_said
from tests.helpers.deciding import FRAME, a_table, button, come, field, fill, head, seen, sign, simulation_of

READ_OFF = Frame((FRAME.columns[0], FrameColumn("dose", "mg", 0, 20, 0.5)))


@pytest.fixture(scope="module")
def own():
    return simulation_of(a_table())


def test_a_sample_is_decided_at_once_and_signed_with_a_name(expert):
    app = come(view="simple", T="30")
    said = seen(app)
    assert re.search(
        r"Recommended: ε = [\d.]+, the strongest protection tried that surely costs less than 50 % of a search’s gain",
        said,
    )
    assert "Draft, not signed" in said
    assert "asks for 5 patients at random, then for 30 of its choice." in said
    button(app, "sign").click().run()  # by nobody
    assert "own data/decision/signed" not in app.session_state
    assert "Write who decides." in all_said(app)
    sign(app)
    said = seen(app)
    assert "Draft" not in said
    assert re.search(r"Digest of what was decided: sha256:[0-9a-f]{64}", said)
    assert "A. Muster head of the ward" in said
    signed = app.session_state["own data/decision/signed"]
    assert isinstance(signed, Decision)
    assert signed.digest in said
    assert signed.epsilon_from == "frame"


def test_what_is_changed_after_the_signature_is_said_and_what_is_typed_stays(own):
    app = sign(come(own, decided="5"), **{"Notes": "Checked with the register office."})
    fill(app, "Decide for", "10")
    assert "Changed since it was signed" in seen(app)
    assert "Digest" not in seen(app)
    assert not button(app, "sign").disabled
    app.switch_page("pages/data.py").run()
    app.switch_page("pages/decision.py").run()
    assert field(app, "Who decides").value == "A. Muster, head of the ward"
    assert "Checked with the register office." in seen(app)
    fill(app, "Decide for", "5")
    assert "Changed" not in seen(app)
    for label, other, before in (("It may cost", "0.05", ""), ("It must protect", "weak", "moderate")):
        assert "Changed since it was signed" in seen(fill(app, label, other))
        assert "Changed" not in seen(fill(app, label, before))


@pytest.mark.parametrize(
    ("label", "text"),
    [("Notes", "At once."), ("Who decides", "B. Muster, registrar"), ("On", "2026-03-31"), ("The data", "Ward 3"),
     ("Unit of marker", "mg/l"), ("It may cost", "0.05")],
)  # fmt: skip
def test_what_is_typed_last_is_signed_though_the_browser_sends_it_with_the_press_of_sign(own, label, text):
    app = come(own, decided="5")
    if label != "Who decides":
        fill(app, "Who decides", "A. Muster, head of the ward")
    field(app, label).set_value(text)  # not drawn yet when the press comes
    button(app, "sign").click().run()
    said = seen(app)
    assert "Changed since" not in said
    assert "Digest" in said
    assert text.replace(", ", " ").replace("0.05", "ε = 5") in said
    assert app.session_state["own data/decision/signed"].digest in said
    fill(app, "Notes", "Later.")
    assert "Changed since" in seen(app)


@pytest.mark.usefixtures("as_often")
def test_an_epsilon_that_nobody_has_seen_is_not_signed_with_the_same_press(own):
    app = come(own)
    fill(fill(app, "It must protect", "weak"), "Who decides", "A. Muster")
    assert "Decision: the inputs with noise may go out at ε = 2" in seen(app)
    field(app, "Candidates").set_value("3, 5")  # ε = 3 from now on
    button(app, "sign").click().run()
    said = seen(app)
    assert "Decision: the inputs with noise may go out at ε = 3" in said
    assert "Changed since it was signed" in said
    assert "Digest" not in said


def test_a_day_that_is_none_is_not_signed_with_the_same_press(own):
    app = fill(come(own, decided="5"), "Who decides", "A. Muster")
    field(app, "On").set_value("tomorrow")
    button(app, "sign").click().run()
    assert "'tomorrow'" in errors(app)[0]
    assert "Draft, not signed" in seen(app)
    assert "own data/decision/signed" not in app.session_state


def test_a_limit_moves_the_recommendation_and_one_that_is_none_gets_a_sentence(own):
    app = come(own)
    said = [seen(fill(app, "It may cost", limit)) for limit in ("0.2", "0,03")]
    strongest = [float(re.search(r"Recommended: ε = ([\d.]+), the", each)[1]) for each in said]
    assert strongest == [0.5, 2.0]
    assert "costs less than 0.03 of marker" in seen(app)
    for text in ("much", "0", "-1", "1e999", "nan"):
        fill(app, "It may cost", text)
        assert "limit is" in app.error[0].value.lower()
        assert "costs less than 50 % of a search’s gain" in seen(app)  # the rule that looks at nothing


def test_what_is_recommended_tells_nothing_of_the_table_but_its_frame_and_its_number_of_rows():
    marker = a_table(1).eval("0.1 * (age % 7) + 0.2 * dose")
    pages = [seen(come(simulation_of(table))) for table in (a_table(1), a_table(2), a_table(1).assign(marker=marker))]
    assert len({re.search(r"Recommended: ε = .*? sure, but for δ\.", page)[0] for page in pages}) == 1
    assert len({re.search(r"worse by, on average.*? hardly any", page)[0] for page in pages}) == 3


@pytest.mark.usefixtures("as_often")
@pytest.mark.parametrize(
    ("limit", "least", "recommended"),
    [("", "moderate", 2), ("0.02", "moderate", None), ("0.03", "moderate", 2), ("0.03", "strong", None)],
)
def test_there_is_one_rule_with_one_limit_in_the_first_sentence_the_sheet_and_the_picture(
    own, limit, least, recommended, monkeypatch
):
    drawn, cases = [], []
    monkeypatch.setattr(
        figures, "costs", lambda case, now: (drawn.append(now), cases.append(case), costs(case, now))[2]
    )
    app = fill(fill(come(own), "It must protect", least), "It may cost", limit)
    said, most = seen(app), f"{limit} of marker on these data" if limit else "50 % of a search’s gain in made-up tables"
    now, case = drawn[-1], cases[-1]
    (edge,) = [each["x0"] for each in costs(case, now).picture.layout["shapes"] if each["type"] == "rect"]
    levels = [case.weighed.protects(edge * factor).level >= now.least for factor in (0.98, 1.02)]
    assert levels == [True, False], "where too little protection begins is where the rule changes"
    kept = [each.epsilon for each in now.rule.weighing.known if each.cost.high < now.recommendation.limit]
    protecting = [epsilon for epsilon in kept if now.rule.weighed.protects(epsilon).level >= now.least]
    assert now.recommended == recommended == (min(protecting) if protecting else None)
    assert {"Recommended: ε = " in each for each in (said, head(app))} == {recommended is not None}
    assert {"Nothing is recommended" in each for each in (said, head(app))} == {recommended is None}
    assert f"costs less than {most}" in said
    assert ("Strongest tried within the limit" in head(app)) == (recommended is not None and limit != "")
    assert ("Strongest tried within a default limit" in head(app)) == (recommended is not None and not limit)
    assert ("Nobody checked these conditions." in head(app)) == (recommended is not None)  # else nothing is promised
    assert ("Conditional: only if" in head(app)) == (limit != "" and recommended is not None)
    if recommended is not None:  # what it costs as its own page says it, first
        needed = now.weighing.of(recommended).needed
        assert re.search(f"Here it takes (perhaps )?{needed.more} more " if needed.more > 0 else "no more ", head(app))
        assert "for as much as without privacy" not in head(app)
    assert ("ε was chosen after searches on these data" in said) == (limit != "" and recommended is not None)
    assert not re.search(r"do not hand it out|costs less, but its" if recommended else "Its protection is", said)
    said = seen(fill(app, "Decide for", "5"))
    assert "Protection: hardly any, if what it rests on holds. This is not a recommendation of this page." in said


@pytest.mark.parametrize(("x", "word"), [(0.1, "very strong"), (2.1, "moderate"), (2.3, "weak"), (70, "weak")])
def test_a_line_that_is_dragged_asks_for_what_protects_just_enough_where_it_is_let_go(monkeypatch, x, word):
    def protects(epsilon):
        return Strength(1 + sum(worst_case_belief(0.5, epsilon) <= most for most in BELIEFS), "", 0.5, 0.5)

    monkeypatch.setattr(question.st, "session_state", state := {})
    question.set_line("", (0.5, 1, 2, 5, 10), protects, x, math.nan)
    assert state == {"protects": word}


def test_a_limit_of_what_everybody_may_know_says_so_and_was_set_by_somebody_who_had_looked(own, monkeypatch):
    """It is what a line means that is dragged where such costs are drawn."""
    app = come(own)
    for limit, mark, said in (("60 %", "%", "60 % of a search’s gain in made-up"), ("1.2e+02 %", "%", "")):
        with monkeypatch.context() as patch:
            patch.setattr(question.st, "session_state", state := {})
            question.set_line("", (0.5, 1), None, math.nan, float(limit.removesuffix(mark)), mark)
        assert list(state.values()) == [limit]
        shown, blind = seen(fill(app, "It may cost", limit)), "a limit of 120 % allows blind choice"
        assert (f"surely costs less than {said}" in shown, blind in head(app)) == (said != "", said == "")
        assert ("ε was chosen after searches on these data" in shown) == (said != "")
        assert ("Strongest tried within the limit" in head(app)) == (said != "")
    shown = seen(fill(fill(app, "It may cost", ""), "It must protect at least", "weak"))
    assert "ε was chosen after searches on these data" in shown  # so did whoever asks for another protection
    release = come(decide_about="Release", candidates="0.5, 1, 2")
    assert "costs less than 5 percentage points on average" in seen(fill(release, "It may cost", "5 whatever the data"))
    assert "Strongest tried within the limit (≤ 2." in head(release)


@pytest.mark.usefixtures("as_often")
def test_a_cost_is_rounded_so_that_it_stays_on_its_side_of_the_limit(own):
    said = seen(fill(come(own), "It may cost", "0.02"))  # of ε = 2 the interval ends at 0.02033
    assert "0.0105 (0.0006 to 0.0203)" in said
    assert "ε = 2 (moderate) may cost more: 0.0105 (0.0006 to 0.0203) of marker." in said
    assert "as long as the whole 95 % interval of the cost lies below the limit, unrounded" in said


@pytest.mark.usefixtures("as_often")
@pytest.mark.parametrize(
    ("limit", "said"), [(0.06, "ε = 0.5 (very strong) costs more"), (0.03, "ε = 1 (strong) may cost more")]
)
def test_what_costs_more_than_the_limit_with_its_whole_interval_is_said_to(own, limit, said):
    text = seen(fill(come(own), "It may cost", str(limit)))
    found = re.search(rf"{re.escape(said)}: [\d.]+ \(([\d.]+) to ([\d.]+)\) of marker\. ", text)
    low, high = map(float, found.groups())
    assert (low > limit) == ("may" not in said)
    assert high > limit


@pytest.mark.parametrize(
    ("high", "most", "shown"),
    [(5.2, 5.0, "3.0 (0.8 to 5.2)"), (5.004, 5.0, "3.000 (0.996 to 5.004)"), (4.8, 5.0, "3.0 (1.2 to 4.8)"),
     (7.2, 5.0, "3 (−1 to 7)"), (5.2, None, "3 (1 to 5)")],
)  # fmt: skip
def test_an_interval_gets_the_digits_that_tell_it_from_the_limit(high, most, shown):
    assert interval(Difference(3.0, 1.1, 6.0 - high, high, 100), most) == shown


def test_an_outcome_without_a_unit_is_spoken_of_by_its_name(own):
    app = come(own)
    assert field(app, "It may cost").label == "It may cost at most, in the unit of marker"
    assert "worse by, on average, of marker" in seen(app)
    said = seen(fill(app, "Unit of marker", "mg/l"))
    assert field(app, "It may cost").label == "It may cost at most, in mg/l"
    assert "worse by, on average, mg/l" in said


@pytest.mark.usefixtures("as_often")
def test_what_signs_mean_stands_beside_them_and_what_nobody_checked_too(own):
    said = seen(come(own))
    assert "and beyond that no more than if all were told one in 100,000 times (δ = 10⁻⁵)" in said
    assert (
        "Proved, if ranges were known beforehand and ε set without the data. Nobody checked these conditions." in said
    )
    said = seen(fill(come(own), "Decide for", "1"))
    assert "Nobody checked these conditions. Whoever publishes vouches for them: (1) " in said
    assert "what is typical over the first 40, which Outsourced and Workbench show" in said


def test_a_limit_that_lets_blind_choice_pass_recommends_nothing(own):
    said = seen(fill(come(own), "It may cost", "50"))
    assert "Nothing is recommended: on these data, a limit of 50 allows blind choice: a search without" in said
    assert "No ε is decided yet" in said


def test_where_no_candidate_keeps_to_the_limit_none_is_recommended_and_one_may_be_chosen(own):
    app = fill(come(own, candidates="0.5, 0.4"), "It may cost", "0.0001")
    assert "no ε tried protects enough and surely costs less than 10⁻⁴ of marker on these data." in seen(app)
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
    assert "Nothing is recommended. Nothing to gain" in said
    assert "Recommended" not in said
    assert "worse by" not in said
    assert "mg" not in said.partition("Who decided")[0].partition("2 What each")[2]
    sign(fill(app, "Decide for", "1"))  # by the protection alone
    assert "Digest" in seen(app)


def test_a_frame_that_was_read_off_makes_it_conditional_and_has_to_be_accepted():
    app = come(simulation_of(a_table(), READ_OFF), decided="1")
    said = seen(app)
    assert "Conditional: only if ranges were known beforehand and ε" in said
    assert "Why the protection of ε = 1 is hardly any: the frame was read off the data" in said
    assert "In the same frame, known beforehand, it is strong." in said
    said = seen(fill(app, "It may cost", "0.03"))
    assert "Nothing is recommended yet: nothing says from where it was known of dose. What to do" in said
    assert "'dose'" in said
    assert "interim" not in said
    assert "on Data, type what was known beforehand" in said
    fill(app, "Who decides", "A. Muster")
    assert button(app, "sign").disabled
    assert any("dose" in error.value for error in app.error)
    app.checkbox(key="own data/chosen/decision/accepted").check().run()
    button(app, "sign").click().run()
    assert app.session_state["own data/decision/signed"].conditional_accepted


def test_candidates_come_from_the_address_and_bad_ones_get_a_sentence(own):
    app = come(own, candidates="3, 1")
    assert field(app, "Candidates").value == "3, 1"
    assert app.query_params["candidates"] == "1, 3"
    fill(app, "Candidates", "1, two")
    assert "two" in app.error[0].value
    assert "Recommended" in seen(app) or "Nothing is recommended: no ε" in seen(app)


def test_candidates_may_be_typed_with_decimal_commas_and_nothing_is_lost_where_that_can_be_read_in_two_ways(own):
    app = sign(fill(fill(come(own), "Candidates", "0,5; 1,5; 3"), "Decide for", "1.5"))
    assert app.query_params["candidates"] in ("0.5, 1.5, 3", ["0.5, 1.5, 3"])
    assert not app.error
    fill(app, "Candidates", "0,5, 1,5, 3")
    assert "can be read in two ways; write 0.5, 1, 2 or 0,5; 1; 2." in errors(app)[0]
    assert "Until then they are 0.5, 1.5, 3." in errors(app)[0]
    assert field(app, "Candidates").value == "0,5, 1,5, 3"
    assert "Decision: the inputs with noise may go out at ε = 1.5" in seen(app)
    assert "Digest" in seen(app)  # it stays signed


def test_the_address_holds_no_name_no_note_and_nothing_of_the_data(own):
    app = sign(come(own, decided="5"), Notes="very secret", **{"The data": "ward 3"})
    address = str(dict(app.query_params))
    for secret in ("Muster", "secret", "ward", "own"):
        assert secret not in address


def test_names_that_are_markup_stay_text(own):
    app = sign(
        come(own, decided="5"), people="<script>alert(1)</script>, <b>x</b>", Notes='"><img src=x onerror=alert(1)>'
    )
    (sheet,) = [each.proto.body for each in app.get("html") if "<article" in each.proto.body]
    assert "<script" not in sheet
    assert "<img" not in sheet
    assert "&lt;script&gt;" in sheet


def test_what_is_kept_is_forgotten_with_the_data(own):
    app = sign(come(own, a_table(), decided="5"), Notes="very secret")
    app.switch_page("pages/data.py").run()
    for label in ("Forget my data", "Forget all the same"):
        next(each for each in app.button if each.label == label).click().run()
    app.switch_page("pages/decision.py").run()
    said = seen(app)
    assert "Muster" not in said
    assert "secret" not in said
    assert "Digest" not in said
    assert field(app, "Who decides").value == ""
    assert "own data/decision/signed" not in app.session_state


def test_what_is_said_to_be_public_and_stands_as_in_the_data_is_to_be_confirmed_before_it_is_signed():
    table = a_table()
    low = float(table.age.min())
    frame = Frame((FrameColumn("age", "years", low, 110, 4, known_from="the register"), FRAME.columns[1]))
    app = fill(fill(come(simulation_of(table, frame), table), "Decide for", "5"), "Who decides", "A. Muster")
    assert button(app, "sign").disabled
    assert "Said to be public, but as it was read off your data: low of age." in all_said(app)
    field(app, "It was known").set_value(True).run()
    assert not button(app, "sign").disabled
    fill(app, "It was known", False)
    assert button(app, "sign").disabled
