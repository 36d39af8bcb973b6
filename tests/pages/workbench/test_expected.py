"""What privacy is expected to cost: the same number as on Trade-off, for the holder's eyes only."""

import re

import privbo_core as pb
from pages.parts.system import system
from pages.parts.table.diagnostics import suited
from pages.parts.views.text import cost_text
from pages.parts.views.views import KEY
from pages.parts.workbench.holder.seat import SLOT
from privbo_core.outsourced import Setting, Simulation
from privbo_core.tradeoff import measure, outsourced_question
from tests.helpers.bench import bring_table, choose, csv, said, sit, small


def test_the_expected_regret_is_trade_off_s():
    app = sit("holder", epsilon=1, T=10)
    simulation = Simulation(pb.data.sample("hospital"))
    setting = Setting(1.0, system.DELTA, system.R, 10, search=suited(simulation.problem), once=True)
    question = outsourced_question(simulation, setting, mechanisms=("noisy",))
    (curve,) = question.curves
    *_, mark = measure(curve, 1.0, system.RUNS)
    *_, plain = question.reference(curve).costs(system.RUNS)
    extra = mark.above(plain)
    (tiles,) = [each.proto.body for each in app.get("html") if 'class="pb-tiles"' in each.proto.body]
    shown = re.sub("<[^>]+>", "", tiles[tiles.index("Expected extra regret, 10 tests") :])
    assert f"{cost_text(extra.mean, extra.standard_error)} σy" in shown
    assert f"{system.RUNS} runs" in shown
    assert "simulation, curator’s eyes only" in shown


def test_searches_on_the_table_are_for_its_holder_alone():
    app = sit("holder")
    assert app.session_state[KEY].figures[SLOT].finding.audience == "inside"


def test_where_nobody_knows_the_outcomes_nothing_is_simulated():
    app = sit("holder")
    bring_table(app, "trial.csv", csv(small()))
    assert SLOT in app.session_state[KEY].figures
    choose(app, "Outcome", "measured later, not in the table")
    assert SLOT not in app.session_state[KEY].figures
    assert "Nobody knows the outcomes yet" in said(app)
