"""What the Audit page says: the least error, promises that fail, tables that are too small, what links bring."""

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import systems
from pages.parts.audit.textbook import TEXTBOOK
from pages.parts.controls.live_sliders import Controls
from pages.parts.frame.record import KEY
from pages.parts.outsourced.neighbours import audited
from pages.parts.system.attack import Scene
from pages.parts.values.palette import MET
from privbo_core import audit
from privbo_core.data import make_problem, synthetic
from privbo_core.outsourced import Setting, Simulation
from tests.helpers.paths import APP

AUDITED = {each.key: each for each in (*(a for system in systems.SYSTEMS for a in system.audited), TEXTBOOK)}
REAL = audit.least_error
WATCHED = [
    ("canary", "all", {"T": 40.0, "N": 40.0, "trials": 2000.0}),
    ("textbook", "laplace", {"trials": 20_000.0}),
    ("noisy", "sharpest", {"epsilon": 3.0, "trials": 20_000.0}),
]


def views(mechanism, attack, problem=None, **changes):
    (chosen,) = [each for each in AUDITED[mechanism].attacks if each.key == attack]
    values = {slider.key: float(slider.value) for slider in chosen.sliders} | changes
    return list(chosen.run(Scene(Controls(values), Simulation(problem) if problem else None)))


@pytest.mark.parametrize(("mechanism", "attack", "given"), WATCHED)
def test_the_least_error_is_that_of_the_best_threshold(mechanism, attack, given, monkeypatch):
    """Not that of the threshold that shows most about ε, which may err nearly as often as a coin."""
    seen = []
    monkeypatch.setattr(audit, "least_error", lambda *outputs, **how: seen.append(outputs) or REAL(*outputs, **how))
    problem = synthetic(side=20) if AUDITED[mechanism].attacks[0].data else None
    tile = views(mechanism, attack, problem, **given)[-1].tiles[2]
    here, there, _ = seen[-1]
    places = np.quantile(np.concatenate([here, there]), np.linspace(0, 1, 2001))
    errors = [50 * ((here > place).mean() + (there <= place).mean()) for place in places]
    least = min(errors)
    assert tile.name == "Least error of the attacker"
    assert float(tile.value.removesuffix(" %")) == pytest.approx(least, abs=2.5)
    limit = float(tile.remark.split(" %")[0].removeprefix("at most "))
    assert least - 0.1 <= limit <= least + 6
    assert "best threshold on half of the trials, counted on the rest" in tile.remark


def test_no_green_mark_where_the_promise_fails():
    """At this ε so few releases refute nothing, but the test never errs, and no number of them would make it."""
    last = views("projection", "tell", synthetic(side=20), epsilon=140.0, trials=60.0)[-1]
    claim = last.tiles[0]
    assert claim.remark.startswith("fails: never wrong")
    assert "✗" in claim.value
    point = next(trace for trace in last.figures[2].picture.data if trace.get("name") == "this attack")
    assert point["marker"]["color"] != MET
    assert point["marker"]["symbol"] == "x"
    assert "does not get below" not in last.figures[2].finding.title
    kept = views("textbook", "laplace", trials=5000.0)[-1]
    assert "✗" not in kept.tiles[0].value


def small(rows):
    few = synthetic(side=20)
    at = [0, 57, 190, 333, 399][:rows]
    table = pd.DataFrame(few.original[at], columns=["a", "b"]).assign(y=few.objective[at])
    return make_problem(table, ["a", "b"], "y", maximize=True)


@pytest.mark.parametrize("rows", [3])  # fewer cannot be prepared
@pytest.mark.parametrize(
    ("mechanism", "attack"), [(m, a) for m in ("projection", "noisy") for a in ("tell", "rebuild")]
)
def test_tables_of_no_more_than_d_plus_one_rows_get_a_sentence(rows, mechanism, attack):
    app = AppTest.from_file(APP, default_timeout=60).run().switch_page("pages/audit.py")
    app.session_state["own data/simulation"], app.session_state["data"] = Simulation(small(rows)), "own"
    app.query_params["audited"], app.query_params[f"attack-{mechanism}"] = mechanism, attack
    app.run()
    assert not app.exception
    assert f"d + 1 = 3 records, and there are {rows}" in app.info[0].value
    assert not app.session_state[KEY].figures


def test_a_link_keeps_its_epsilon_wherever_somebody_was_before():
    app = AppTest.from_file(APP, default_timeout=60).run().switch_page("pages/audit.py")
    app.query_params["trials"] = "60"
    app.run()
    app.switch_page("pages/start.py").run()
    app.switch_page("pages/audit.py")
    for name, value in {"audited": "textbook", "epsilon": "6", "trials": "1000"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert app.session_state[KEY].settings["ε"].value == "6"
    assert app.query_params["epsilon"] == "6"


def test_the_link_from_outsourced_brings_what_is_seen_there():
    assert audited(Setting(6.0, 1e-4, 7, 30)) == {"audited": "projection", "epsilon": "6", "delta": "0.0001", "r": "7"}
    app = AppTest.from_file(APP, default_timeout=60).run().switch_page("pages/outsourced.py")
    for name, value in {
        "epsilon": "6",
        "r": "7",
        "T": "10",
        "runs": "5",
        "view": "expert",
        "release": "projection",
    }.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    queries = [link.proto.query_string for link in app.get("page_link") if "refuted" in link.proto.label]
    assert any("epsilon=6" in query and "r=7" in query for query in queries)
