"""The papers' tables, figures and deviations as data, and what is concluded from outcomes."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from privbo_core import experiments
from privbo_core.experiments import EXPERIMENTS, Arm, Claim, Experiment, Number, Outcome, contents
from privbo_core.experiments.tasks import outsourced_simulation
from privbo_core.federated import Settings
from tests.helpers.numbers import tells
from tests.helpers.paths import ROOT


def outcome(experiment, arm, values, first=0, measure="last", **curve):
    return Outcome(experiment.name, arm, experiment.arm(arm).digest, first, {measure: tuple(values)}, **curve)


def small(numbers=(), claims=(), **more):
    arms = tuple(Arm(name, "bounds", {"name": name}) for name in ("a", "b", "c"))
    return Experiment("small", "t", "p", "about", arms, numbers, claims, **more)


def reported(experiment, measure="last", **values):
    """Return the report on the values of each arm."""
    return experiments.report(experiment, [outcome(experiment, arm, values[arm], measure=measure) for arm in values])


def piece(name, arm):
    return next(each for each in EXPERIMENTS[name].pieces() if each.arm.name == arm)


def test_every_experiment_says_what_it_stands_for():
    assert [f"table-{n}" for n in range(1, 10)] == list(EXPERIMENTS)[:9]
    for name, experiment in EXPERIMENTS.items():
        assert experiment.name == name
        assert experiment.stands_in.endswith(".")
        assert experiment.left_open
        assert experiment.why
        # What has no numbers has claims, and says that it has none.
        assert experiment.numbers or (experiment.claims and experiment.no_numbers)


def test_tables_hold_the_printed_numbers():
    columns = []
    for number in range(1, 10):
        table = EXPERIMENTS[f"table-{number}"]
        assert table.data == ("own" if number < 4 else "other")
        columns.append({n.label: n.printed for n in table.numbers if n.counted and n.exact is None})
        assert list(columns[-1]) == [f"r = {r}" for r in contents.sizes_of(table)]
    # Sums of the columns, added up from the paper by hand.
    sums = [0.398, 0.388, 0.312, 0.475, 0.518, 0.572, 3.156, 3.065, 3.059]
    assert [round(sum(column.values()), 3) for column in columns] == sums
    # What the own data are judged by, in the paper's order.
    assert [list(column.values()) for column in columns[:3]] == [
        [0.073, 0.038, 0.018, 0.014, 0.118, 0.137],
        [0.091, 0.009, 0.019, 0.008, 0.127, 0.134],
        [0.05, 0.021, 0.003, 0.002, 0.094, 0.142],
    ]


def test_the_condition_of_tables_1_to_3_holds_up_to_the_paper_s_r():
    for number, edge in ((1, 10), (2, 15), (3, 20)):
        measures = experiments.work(piece(f"table-{number}", "condition")).measures
        assert measures["largest"] == (float(edge),)
        assert measures["sigma_min"][0] == pytest.approx(1030.878, rel=1e-4)


def test_a_matched_epsilon_meets_the_condition_just_up_to_its_r():
    sigma_min = outsourced_simulation("homes", 1).spectrum.sigma_min
    arm = EXPERIMENTS["table-7"].arm("r = 10, matched ε")
    setting = experiments.tasks.outsourced_setting(arm.settings, sigma_min)
    assert pb.outsourced.largest_r(sigma_min, setting.epsilon, setting.delta) == 10


def test_a_piece_of_table_1_is_what_the_simulation_says():
    few = Arm("r = 6", "outsourced", {**EXPERIMENTS["table-1"].arm("r = 6").settings, "inner": 3})
    found = experiments.work(experiments.Piece("table-1", few, 0, 1))
    simulation = pb.outsourced.Simulation(pb.data.synthetic(seed=0), seed=0)
    setting = pb.outsourced.Setting(math.exp(1.1), 1e-5, 6, 50)
    expected = np.mean([trace.simple_regret[-1] for trace in simulation.stream("private", setting, 3)])
    assert found.measures["last"][0] == pytest.approx(expected, rel=1e-4)


def test_privacy_losses_come_out_to_the_printed_digit():
    for name in ("federated-fig-2c", "federated-fig-2d"):
        figure = EXPERIMENTS[name]
        outcomes = [experiments.work(piece) for piece in figure.pieces() if piece.arm.task == "accountant"]
        compared = [c for c in experiments.report(figure, outcomes).compared if c.number.exact is not None]
        assert [each.grade for each in compared] == ["reproduces"] * 3


def test_the_privacy_losses_of_figure_3_are_those_of_its_three_data_sets():
    """The stand-in has 50 agents, and two of the paper's data sets have 29 and 30."""
    arm = EXPERIMENTS["federated-fig-3"].arm("privacy loss, q = 0.35, z = 1")
    (reason,) = [each for each in EXPERIMENTS["federated-fig-3"].why if "for N = 29" in each]
    for agents, expected in ((29, 15.17), (30, 15.20), (50, 15.76)):
        epsilon = experiments.tasks.account({**arm.settings, "agents": agents}, 0).measures["epsilon"]
        assert round(epsilon, 2) == expected
        assert f"{expected:.2f} for N = {agents}" in reason


def test_every_arm_can_be_run():
    """The quick way round: one replicate, few iterations, of one arm for each kind of settings."""
    for name, arm in (("outsourced-fig-2b", "non-private"), ("branin", "half that ε"), ("federated-fig-2a", "FTS")):
        whole = EXPERIMENTS[name].arm(arm)
        short = Arm(arm, whole.task, {**whole.settings, "iterations": 6})
        found = experiments.work(experiments.Piece(name, short, 0, 1))
        assert (len(found.curve), found.measures["last"]) == (6, (found.curve[-1],))
    for name in ("bounds-epsilon", "bounds-iterations", "bounds-candidates"):
        measures = experiments.work(EXPERIMENTS[name].pieces(runs=1)[0]).measures
        assert 0 <= measures["setting_within"][0] <= 1
        assert measures["setting_bound"][0] > 0


def test_agreement_counts_both_standard_errors():
    values = [0.0, 1.0, 2.0, 3.0]
    found, *others = (
        reported(small((Number("a", at, "a"),), per_print=2), a=values).compared[0] for at in (1.0, 4.3, 9.0)
    )
    spread = np.std(values, ddof=1)
    assert (found.ours, found.error) == (1.5, pytest.approx(spread / 2))
    assert found.distance == pytest.approx(-0.5 / math.hypot(spread / 2, spread / math.sqrt(2)))
    assert [each.grade for each in (found, *others)] == ["reproduces", "nearly", "does not reproduce"]


def test_differences_are_paired_by_replicate():
    experiment = small((Number("b over a", 1.0, "b", minus="a"),))
    found = reported(experiment, a=[1.0, 5.0, 9.0], b=[2.1, 5.9]).compared[0]
    assert (found.replicates, (found.ours, found.error)) == (2, (pytest.approx(1.0), pytest.approx(0.1)))


def test_the_mean_of_an_arm_has_its_standard_error():
    found = reported(small(), a=[1.0, 2.0, 6.0])
    assert found.mean("a", "last") == pytest.approx((3.0, math.sqrt(7 / 3), 3))
    assert found.mean("b", "last") is None


def test_one_replicate_has_no_grade():
    found = reported(small((Number("a", 1.0, "a"),)), a=[1.0])
    assert (found.compared[0].grade, len(found.counted)) == (None, 0)


BELOW, BEST = Claim("a below b", "below", ("a", "b")), Claim("a is best", "best", ("a", "b", "c"))
NEAR = Claim("b is near a", "near", ("b", "a"), level=0.2)
OFTEN = Claim("often enough", "at least", ("a", "b"), "share", 0.95)


@pytest.mark.parametrize(
    ("claim", "values", "verdict"),
    [
        (BELOW, ([1.0] * 4, [2.0, 2.1, 1.9, 2.0]), "holds"),
        (BELOW, ([1.0] * 4, [1.0, 1.1, 0.9, 1.02]), "inconclusive"),
        (BELOW, ([1.0] * 4, [0.0, 0.1, -0.1, 0.0]), "fails"),
        (BELOW, ([1.0, 2.0], [1.0, 2.0]), "inconclusive"),
        (BELOW, ([1.0], [2.0]), "no results"),
        (BEST, ([1.0, 2.0], [1.5, 2.6], [1.9, 3.0]), "holds"),
        (BEST, ([1.0, 2.0], [1.5, 2.6], [1.0, 2.2]), "inconclusive"),  # c: 0.1 ± 0.1, the smallest mean or not
        (BEST, ([1.0, 2.0], [1.5, 2.6], [0.5, 2.4]), "inconclusive"),  # c: −0.05 ± 0.45
        (BEST, ([1.0, 2.0], [0.5, 1.4], [1.5, 2.4]), "fails"),
        (NEAR, ([1.0, 1.1, 0.9, 1.0], [1.05, 1.15, 0.95, 1.05]), "holds"),
        (NEAR, ([1.0, 1.1, 0.9, 1.0], [1.3, 1.4, 1.2, 1.3]), "fails"),
        (NEAR, ([1.0, 1.1, 0.9, 1.0], [1.0, 1.5, 0.8, 1.2]), "inconclusive"),
        (OFTEN, ([1.0, 1.0, 0.99, 1.0], [1.0, 1.0, 0.99, 1.0]), "holds"),
        (OFTEN, ([1.0, 1.0, 0.99, 1.0], [0.5, 0.6, 0.4, 0.5]), "fails"),
    ],
)
def test_a_claim_is_judged_by_two_standard_errors(claim, values, verdict):
    found = reported(small((), (claim,)), claim.measure, **dict(zip("abc", values, strict=False)))
    assert (found.judged[0].verdict, len(found.claims)) == (verdict, verdict != "no results")


def paper(numbers, a=(1.0, 2.0), b=(1.4, 2.4), **more):
    """Return what is said of a paper's own numbers for the claim that a lies below b."""
    return reported(small(numbers, (BELOW,), **more), a=a, b=b).judged[0].paper


def two(a, b):
    return (Number("a", a, "a"), Number("b", b, "b"))


@pytest.mark.parametrize(("b", "expected"), [(1.5, "holds"), (1.15, "inconclusive"), (0.5, "fails")])
def test_the_paper_s_numbers_are_judged_by_our_scatter(b, expected):
    ours = {"a": [1.0, 2.0, 3.0, 4.0], "b": [1.4, 2.6, 3.4, 4.6]}
    found = paper(two(1.0, b), **ours, per_print=1)
    assert (found.verdict, found.difference) == (expected, pytest.approx(b - 1.0))
    assert found.error == pytest.approx(np.std([0.4, 0.6, 0.4, 0.6], ddof=1))
    # A printed mean of more runs scatters less.
    assert paper(two(1.0, b), **ours, per_print=4).error == pytest.approx(found.error / 2)


def test_numbers_on_other_data_do_not_count():
    elsewhere = paper(two(1.0, 9.0), data="other")
    assert (elsewhere.verdict, elsewhere.difference, elsewhere.error) == ("not judged", 8.0, None)
    assert paper((Number("a", 1.0, "a"),)) is None
    # A number that is printed as a difference is one.
    assert paper((Number("b over a", 0.3, "b", minus="a"),)).difference == 0.3
    for data, standing in (("own", "reproduces"), ("other", "other data"), ("made up", "made-up data")):
        experiment = small((Number("a", 1.5, "a"),), data=data)
        found = reported(experiment, a=[1.0, 2.0])
        assert (found.compared[0].standing(experiment), len(found.counted)) == (standing, data == "own")
    # A privacy loss has nothing to do with the data.
    coin = experiments.work(piece("federated-fig-11", "privacy loss, coin"))
    other = EXPERIMENTS["federated-fig-11"]
    assert experiments.report(other, [coin]).counted == (), "the paper prints its 9.91 with Figure 2c, and not here"
    first = replace(other.numbers[0], counted=True)
    found = experiments.report(replace(other, numbers=(first,)), [coin])
    assert [each.number.arm for each in found.counted] == ["privacy loss, coin"]


def test_curves_add_up_over_pieces():
    curves = np.random.default_rng(0).random((5, 3))
    parts = []
    for first, last in ((0, 2), (2, 5)):
        part = curves[first:last]
        sums = {"curve": tuple(part.sum(axis=0)), "squares": tuple((part**2).sum(axis=0))}
        parts.append(outcome(small(), "a", range(first, last), first, **sums))
    band = experiments.report(small(), reversed(parts)).bands["a"]
    assert (band.runs, band.mean) == (5, pytest.approx(curves.mean(axis=0)))
    assert band.standard_error == pytest.approx(curves.std(axis=0, ddof=1) / math.sqrt(5))


def test_outcomes_of_other_settings_and_overlapping_ones_are_left_out():
    experiment = small((Number("a", 1.0, "a"),))
    stale = Outcome("small", "a", "00000000", 0, {"last": (9.0, 9.0)})
    other = Outcome("another", "a", experiment.arm("a").digest, 0, {"last": (9.0, 9.0)})
    parts = [outcome(experiment, "a", values, first) for values, first in (([0.0], 0), ([0.0, 1.0], 0), ([9.0], 7))]
    found = experiments.report(experiment, [stale, other, *parts]).compared[0]
    assert (found.ours, found.replicates) == (0.5, 2)


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="refers to the arm 'd'"):
        small((Number("d", 1.0, "d"),))
    with pytest.raises(ValueError, match=r"no experiment 'table-10'\. The experiments are table-1, table-2"):
        experiments.find("table-10")


def test_an_outcome_survives_its_line_in_a_file():
    before = outcome(small(), "a", [0.1, 2.0], first=3, curve=(1.0,), squares=(2.0,))
    assert Outcome.from_fields(json.loads(before.as_json())) == before


# The next tests hold what the reports say of the data to explain where they deviate from the papers.


def test_searches_of_the_loans_end_at_a_row_below_the_best():
    """The best loan has worse neighbours than the one that every plain search ends at."""
    loans = outsourced_simulation("loans", 1)
    values = loans.problem.objective / loans.problem.sigma_y
    traces = loans.stream("plain", pb.outsourced.Setting(1, 1e-5, 10, 50), 5)
    (found,) = {int(trace.rows[np.argmax(values[trace.rows])]) for trace in traces}
    assert values.max() - values[found] == pytest.approx(0.173, abs=0.0005)

    def around(row, many=30):
        distances = ((loans.problem.points - loans.problem.points[row]) ** 2).sum(axis=1)
        return values[np.argsort(distances)[1 : many + 1]].mean()

    assert around(int(values.argmax())) < around(found)


def test_the_best_home_lies_far_above_the_others():
    homes = outsourced_simulation("homes", 1).problem
    gaps = np.sort(homes.objective / homes.sigma_y)[::-1]
    assert gaps[0] - gaps[1] == pytest.approx(1.15, abs=0.005)
    assert gaps[0] - gaps[3] == pytest.approx(2.3, abs=0.05)


def test_the_noise_on_the_schools_is_eleven_times_the_signal():
    problem = pb.federated.schools()
    arm = EXPERIMENTS["federated-fig-3"].arm("q = 0.35, z = 1")
    settings = experiments.tasks.federated_settings(arm.settings, problem)
    record = pb.federated.Simulation(lambda run: problem, seed=7).run(settings, 50, 0)
    assert record.noise[:10].mean() / record.signal[:10].mean() == pytest.approx(11, rel=0.1)


@pytest.mark.parametrize(("data", "table", "rows", "spread"), [("loans", 4, 9669, 88), ("homes", 7, 2413, 263)])
def test_the_reports_name_the_rows_and_sigma_min_of_our_data(data, table, rows, spread):
    simulation, experiment = outsourced_simulation(data, 1), EXPERIMENTS[f"table-{table}"]
    assert (simulation.problem.n, round(simulation.spectrum.sigma_min)) == (rows, spread)
    assert tells(experiment.stands_in, rows)
    assert tells(" ".join(experiment.why), spread)


def test_the_largest_printed_r_of_the_loans_needs_sigma_min_202():
    assert round(pb.outsourced.omega(math.exp(2.9), 1e-5, 15)) == 202


def items(document):
    return [each.item for each in contents.CONTENTS if each.document == document]


def test_the_contents_list_every_table_figure_and_experiment():
    outsourced = items(contents.OUTSOURCED)
    assert [each for each in outsourced if each.startswith("Table")] == [f"Table {n}" for n in range(1, 10)]
    named = " ".join(outsourced)
    assert all(figure in named for figure in ("Figure 1", "Figure 2a", "Figure 2b", "Figure 2c", "Appendix A"))
    named = ", ".join(items(contents.FEDERATED))
    for figure in ("1", "2a", "2b", "2c", "2d", "3a–c", "3d–f", "4", "5", "6", "7", "8", "9", "10", "11"):
        assert re.search(rf"(Figure|Figures|and) {figure}( and|,|$)", named), figure
    assert len({each.document for each in contents.CONTENTS}) == 4  # two of the five files are one paper
    reproduced = {name for each in contents.CONTENTS for name in each.experiments}
    assert reproduced == set(EXPERIMENTS)
    with pytest.raises(ValueError, match="experiments or a reason"):
        contents.Item(contents.FEDERATED, "Figure 0", "nothing")


def test_deviations_name_existing_code_and_valid_choices():
    assert {each.system for each in contents.DEVIATIONS} == {"outsourced", "release", "federated"}
    for each in contents.DEVIATIONS:
        file, _, name = each.where.partition(", ")
        assert name.split(".")[0] in (ROOT / file).read_text(), each.where
    subjects = " ".join(each.subject for each in contents.deviations("federated"))
    assert all(word in subjects for word in ("β_t", "λ", "sub-regions", "weights"))
    chosen = {each.subject: eval(each.own_choice, {"pb": pb}) for each in contents.DEVIATIONS if each.own_choice}
    assert (chosen["β_t"].beta, chosen["λ, the regularisation"].regularisation) == ("theory", 1 + 2 / 40)
    assert Settings(chosen["β_t"].kernel, 0.01).beta == "one"


def test_the_yardstick_is_the_standard_error_of_the_difference():
    """Its two parts are our error, and that of a mean of as many replicates as the paper's."""
    values = np.array([0.0, 2.0, 4.0, 6.0])
    ours, spread = values.mean(), values.std(ddof=1)
    for per_print in (1, 4, 50):
        error = math.hypot(spread / 2, spread / math.sqrt(per_print))
        for distance, grade in (
            (0.0, "reproduces"), (1.99, "reproduces"), (-2.01, "nearly"), (2.99, "nearly"),
            (-3.01, "does not reproduce"), (50.0, "does not reproduce"),
        ):  # fmt: skip
            number = Number("a", ours + distance * error, "a")
            (found,) = reported(small([number], per_print=per_print), a=values).compared
            assert found.grade == grade
            assert found.difference == pytest.approx(-distance * error)
            assert found.difference_error == pytest.approx(error)
            assert found.printed_error == pytest.approx(spread / math.sqrt(per_print))


def test_every_printed_number_and_claim_is_counted_once():
    numbers = (
        Number("agrees", 3.0, "a"), Number("is far", 99.0, "a"), Number("exact", 3.0, "a", exact=0),
        Number("missing", 1.0, "c"), Number("our own setting", 99.0, "a", counted=False),
    )  # fmt: skip
    claims = (
        Claim("holds", "below", ("a", "b")), Claim("fails", "below", ("b", "a")), Claim("missing", "below", ("c", "a")),
        Claim("our own setting", "below", ("b", "a"), counted=False),
    )  # fmt: skip
    values = {"a": [2.0, 4.0, 2.5, 3.5], "b": [12.0, 14.0, 12.5, 13.6]}
    own = experiments.count(reported(small(numbers, claims), **values))
    assert own == experiments.Counts(
        reproduces=2, does_not_reproduce=1, not_known=1, holds=1, fails=1, claims_not_known=1, exact=1
    )
    assert (own.printed, own.checked, own.judged) == (4, 3, 2)
    chosen = experiments.count(reported(small(numbers, claims, chosen="so that they agree"), **values))
    assert (chosen.exact, chosen.chosen) == (1, 1), "what isn't random rests on no choice"
    other = experiments.count(reported(small(numbers, claims, data="other"), **values))
    assert other == experiments.Counts(other_data=3, not_known=1, claims_on_other_data=3)
    made_up = experiments.count(reported(small(numbers, claims, data="made up"), **values))
    assert made_up == experiments.Counts()
    total = experiments.count_all([reported(small(numbers, claims), **values)] * 2)
    assert (total.printed, total.reproduces) == (8, 4)
