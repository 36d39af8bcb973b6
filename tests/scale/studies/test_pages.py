"""The pages with a real cluster behind them: the same numbers, and a sentence that says where they come from."""

import pytest

from pages.parts.live.work import CONNECTION
from pages.parts.reproduce.view import STORES
from pages.parts.tradeoff.renderers import KNOWN
from privbo_core import experiments
from privbo_core.arithmetic import elsewhere, fingerprint
from privbo_core.data import sample
from privbo_core.outsourced import Setting, Simulation
from privbo_core.tradeoff import outsourced_question
from tests.helpers.opening import open_page
from tests.helpers.reading import html
from tests.helpers.real_cluster import other_arithmetic, real_cluster

EXPERIMENT = "bounds-epsilon"
SWEPT = {"view": "expert", "data": "branin", "runs": 2, "T": 4, "from": 1, "to": 4}


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    with real_cluster(tmp_path) as found:
        monkeypatch.setenv("PRIVBO_SCHEDULER", found.address)
        monkeypatch.setattr(CONNECTION, "_tried", -1e9)
        yield found
        CONNECTION.lost(RuntimeError("the test is over"))


def ready(cluster, **options):
    cluster.worker(**options)
    while (where := CONNECTION.where(own=False)).cluster is None or not where.cluster.threads:
        pass


def rerun(app):
    app.button(key="reproduce_button").click().run()
    return {outcome.key: outcome for outcome in app.session_state[STORES][EXPERIMENT]}


def expected():
    study = experiments.find(EXPERIMENT)
    shelf = experiments.MemoryStore()
    list(experiments.run(study, store=shelf, runs=2, piece=1))
    return shelf.outcomes


def test_reproduce_runs_again_on_the_cluster(cluster):
    ready(cluster)
    app = open_page("reproduce", experiment=EXPERIMENT)
    assert rerun(app) == expected()
    assert CONNECTION.where(own=False).cluster is not None


def test_reproduce_goes_on_here_if_the_cluster_is_gone(cluster):
    ready(cluster)
    app = open_page("reproduce", experiment=EXPERIMENT)
    cluster.scheduler.kill()
    cluster.scheduler.wait()
    assert rerun(app) == expected()
    assert "away" in CONNECTION.where(own=False).note


def test_trade_off_is_swept_on_the_cluster_and_says_so(cluster):
    ready(cluster)
    app = open_page("tradeoff", **SWEPT)
    assert f"Computed on the cluster at {cluster.address}." in html(app)
    (known,) = app.session_state[KNOWN].values()
    simulation = Simulation(sample("branin"))
    question = outsourced_question(simulation, Setting(4.0, 1e-5, 10, 4, search="ucb/5"))
    noisy = {epsilon for name, epsilon, _ in known if name == "noisy release"}
    curve = next(each for each in question.curves if each.name == "noisy release")
    assert len(noisy) >= 7
    for epsilon in sorted(noisy)[:3]:
        costs = list(curve.costs(epsilon, 2))[-1]
        assert [known[("noisy release", epsilon, run)] for run in (0, 1)] == costs.tolist()


def test_a_page_says_that_workers_round_otherwise(cluster):
    ready(cluster, **other_arithmetic())
    app = open_page("tradeoff", **SWEPT)
    (there,) = CONNECTION.where(own=False).cluster.arithmetics
    assert there != fingerprint()
    assert elsewhere([there]) in html(app)
    app = open_page("reproduce", experiment=EXPERIMENT)
    rerun(app)
    assert any(each.value.endswith(elsewhere([there])) for each in app.caption)
