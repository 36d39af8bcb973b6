"""The one list of promises: README's table word for word, and the statuses that the code and the cards give."""

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.show.card import guarantee_card
from privbo_core import outsourced, release
from privbo_core.data import sample, tuning_task
from privbo_core.federated import Settings, flower, guarantee, variants
from privbo_core.privacy import Status
from privbo_core.promises import PROMISES, WORDS, promise, readme_table
from privbo_core.tuning import Scores, Unscored, tries_guarantee
from tests.helpers.paths import ROOT
from tests.helpers.small_terms import terms


def test_readme_holds_the_table_word_for_word():
    assert readme_table() in (ROOT / "README.md").read_text()


def guarantees(folder):
    """Return, of each promise, the guarantee that the code gives."""
    problem = sample("synthetic")
    search = release.optimise(
        np.linspace(0, 1, 20)[:, None], np.sin(np.linspace(0, 6, 20)), kernel=pb.gp.SquaredExponential(0.2), sigma=0.1,
        iterations=5, delta=0.05, rng=np.random.default_rng(0),
    )  # fmt: skip
    exact = release.optimise(
        np.linspace(0, 1, 20)[:, None], np.sin(np.linspace(0, 6, 20)), kernel=pb.gp.SquaredExponential(0.2), sigma=0.0,
        iterations=5, delta=0.05, rng=np.random.default_rng(0),
    )  # fmt: skip
    task = tuning_task("logistic")
    strict = release.lipschitz([0.1, 0.2], loss=task.loss, records=task.records, epsilon=1.0)
    unscored = Unscored([{"C": 1}, {"C": 2}], lambda setting: 0.5, (0.0, 1.0), shares=20, known_from="a plan")
    private = variants(Settings(pb.gp.SquaredExponential(0.1), 1e-2, q=0.25, z=1.0, S=11.0, P=2, iterations=2))
    return {
        "projection": outsourced.guarantee(1.0, 1e-5, "two"),
        "noisy, public frame": outsourced.noisy_guarantee(1.0, 1e-5, "two", problem.frame),
        "noisy, frame read off": outsourced.noisy_guarantee(1.0, 1e-5, "two"),
        "private answers": outsourced.answers_guarantee(
            outsourced.Private(60, 200, 10, 1.0, 1e-5, "What the device can show."), outsourced.Outcome("glucose")
        ),
        "dp-bo, algorithm 1": release.noisy(search, epsilon=1.0, k1=0.9).guarantee(),
        "dp-bo, algorithm 2": release.noise_free(exact, epsilon=1.0, k1=0.9, A=1.0, tau=0.1).guarantee(),
        "dp-bo, algorithm 3": strict.guarantee(),
        "private selection": release.selection([0.1, 0.9], records=100, epsilon=1.0).guarantee(),
        "tuning": scores("parts").guarantee(1.0),
        "tuning, folds": scores("folds").guarantee(1.0),
        "tuning, tries": tries_guarantee(unscored, 1.0),
        "federated": guarantee(private["DP-FTS-DE"], 20),
        "federated, between machines": flower.guarantee(terms(folder)),
    }  # fmt: skip


def scores(kind):
    return Scores(({"C": 1}, {"C": 2}), np.full((2, 5), 0.5), (0.0, 1.0), kind, records=20, known_from="a plan")


def test_the_promises_have_the_statuses_that_the_code_gives(tmp_path):
    found = guarantees(tmp_path)
    assert list(found) == [each.key for each in PROMISES]
    for each in PROMISES:
        assert found[each.key].status is each.status, each.key
    assert {each.status for each in PROMISES} == set(Status)


@pytest.mark.parametrize(
    "each", [each for each in PROMISES if each.status is not Status.CONDITIONAL], ids=lambda p: p.key
)
def test_a_card_says_the_status_of_the_list(each, tmp_path):
    card = guarantee_card(guarantees(tmp_path)[each.key])
    assert card.status is each.status
    assert WORDS[each.status] in card.heading


def test_unknown_promises_are_named():
    with pytest.raises(ValueError, match="the promises are 'projection'"):
        promise("nothing")
    assert promise("federated").line.startswith("| the server's vectors")
