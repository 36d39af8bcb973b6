"""Noise mechanisms, their calibration, and the two doors that noise comes through.

The release door cannot be seeded. Its tests compare with exact quantiles chosen so that a sound door fails each of
them less than once in a million runs.
"""

import ast
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

import privbo_core as pb
from privbo_core.federated.flower.objective import function
from privbo_core.privacy import Exponential, Gaussian, Laplace, Status, release, simulate

ENGINE = Path(pb.__file__).parent
FALSE_ALARM = 1e-6
OWN_OBJECTIVES = "privbo_core.federated.flower.objective"
"""What finds a function by its name: one that an agent has written itself."""


@pytest.mark.parametrize(
    ("epsilon", "delta", "sigma"),
    # Written out in 60-digit arithmetic; the first three are also the checked ones to the digits known.
    [
        (1.0, 1e-5, 3.7306316348159423),
        (math.exp(1.1), 1e-5, 1.388894149594738),
        (math.exp(2.0), 1e-5, 0.6411505270390482),
        (1e-8, 1e-300, 3634980269.0130367),
        (1e-3, 0.9, 0.30393363089464775),
        (1000.0, 1e-100, 0.035379541289937706),
        (50.0, 0.999999, 0.06276617739829213),
    ],
)
def test_gaussian_calibration(epsilon, delta, sigma):
    assert pb.privacy.gaussian_sigma(epsilon, delta, 1.0) == pytest.approx(sigma, rel=1e-11)
    assert pb.privacy.gaussian_sigma(epsilon, delta, 7.5) == pytest.approx(7.5 * sigma, rel=1e-11)


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 2.0, 20.0])
@pytest.mark.parametrize("delta", [1e-6, 1e-3, 0.4])
def test_gaussian_calibration_is_the_smallest_that_keeps_delta_by_integration(epsilon, delta):
    sigma = pb.privacy.gaussian_sigma(epsilon, delta, 1.0)

    def lost(scale):
        # δ = ∫ (p(x) − e^ε q(x))₊ dx, with p = N(1, σ²), q = N(0, σ²): p exceeds e^ε q above this point.
        start = epsilon * scale**2 + 0.5
        gain = integrate.quad(
            lambda x: stats.norm.pdf(x, 1, scale) - math.exp(epsilon) * stats.norm.pdf(x, 0, scale),
            start,
            start + 12 * scale,
            epsabs=1e-14,
            limit=200,
        )
        return gain[0]

    assert lost(sigma) == pytest.approx(delta, rel=1e-5)
    assert lost(sigma * 0.99) > delta
    assert pb.privacy.gaussian_delta(epsilon, sigma, 1.0) <= delta * (1 + 1e-12)


@settings(deadline=None)
@given(epsilon=st.floats(1e-300, 1e300), delta=st.floats(1e-300, 1 - 1e-9))
def test_gaussian_calibration_never_breaks(epsilon, delta):
    sigma = pb.privacy.gaussian_sigma(epsilon, delta, 1.0)
    assert 0 < sigma < math.inf
    assert Gaussian(1.0, epsilon, delta).sigma == sigma


def test_laplace_by_its_definition():
    mechanism = Laplace(sensitivity=3.0, epsilon=0.5)
    assert mechanism.scale == 6.0
    assert mechanism.density([0.0, -6.0]) == pytest.approx([1 / 12, math.exp(-1) / 12])
    inside = integrate.quad(mechanism.density, -mechanism.half_width(0.9), mechanism.half_width(0.9), points=[0.0])[0]
    assert inside == pytest.approx(0.9)


def test_exponential_by_its_definition():
    mechanism = Exponential(np.array([0.0, 1.0, 3.0]), sensitivity=2.0, epsilon=4.0)
    weights = [1.0, math.e, math.e**3]  # exp(4·s/(2·2))
    p = np.array(weights) / sum(weights)
    np.testing.assert_allclose(mechanism.probabilities, p)
    assert mechanism.entropy == pytest.approx(-sum(x * math.log(x) for x in p))
    assert mechanism.effective_candidates == pytest.approx(math.prod(x**-x for x in p))
    assert mechanism.expected_loss == pytest.approx(3 * p[0] + 2 * p[1])


@settings(deadline=None)
@given(
    scores=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30),
    moves=st.lists(st.floats(-1, 1), min_size=30, max_size=30),
    epsilon=st.floats(1e-3, 50),
)
def test_exponential_keeps_epsilon_when_scores_move_by_the_sensitivity(scores, moves, epsilon):
    before = np.array(scores)
    after = before + np.array(moves[: len(scores)])
    loss = np.abs(
        Exponential(before, 1.0, epsilon).log_probabilities - Exponential(after, 1.0, epsilon).log_probabilities
    )
    assert loss.max() <= epsilon * (1 + 1e-6) + 1e-6


@settings(deadline=None)
@given(scores=st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=20), epsilon=st.floats(1e-6, 1e9))
def test_exponential_neither_overflows_nor_loses_probability(scores, epsilon):
    mechanism = Exponential(np.array(scores), 1.0, epsilon)
    assert mechanism.probabilities.sum() == pytest.approx(1.0)
    assert 1.0 <= mechanism.effective_candidates <= len(scores) * (1 + 1e-9)


def test_the_simulated_choice_has_the_exact_frequencies():
    rng = np.random.default_rng(0)
    mechanism = Exponential(rng.normal(size=40), sensitivity=1.0, epsilon=3.0)
    drawn = np.concatenate(
        [simulate.select(mechanism, simulate.gumbel(20_000, 40, np.random.default_rng(seed))) for seed in range(10)]
    )
    counts = np.bincount(drawn, minlength=40)
    assert stats.chisquare(counts, mechanism.probabilities * len(drawn)).pvalue > 1e-3
    wrong = Exponential(mechanism.scores, sensitivity=1.0, epsilon=2.8).probabilities
    assert stats.chisquare(counts, wrong * len(drawn)).pvalue < 1e-6, "the test must tell ε = 3 from 2.8"


def test_the_real_choice_has_the_exact_frequencies():
    mechanism = Exponential(np.array([0.3, -1.0, 0.0, 1.0, 2.5]), sensitivity=1.0, epsilon=2.0)
    draws = 6000
    counts = np.bincount([release.select(mechanism) for _ in range(draws)], minlength=5)
    expected = mechanism.probabilities * draws
    assert expected.min() > 100
    # The χ² tail is an approximation; a hundred times FALSE_ALARM's quantile leaves room for it.
    assert ((counts - expected) ** 2 / expected).sum() < stats.chi2.isf(FALSE_ALARM / 100, 4)
    other = Exponential(mechanism.scores, sensitivity=1.0, epsilon=1.4).probabilities * draws
    assert ((counts - other) ** 2 / other).sum() > stats.chi2.isf(FALSE_ALARM / 100, 4)


def check_laplace(noise, scale, false_alarm):
    """Kolmogorov–Smirnov (Massart's inequality: exact) and Σ|x|/b ~ Gamma(n, 1), each at half the false alarm."""
    n = len(noise)
    distance = stats.kstest(noise, stats.laplace(scale=scale).cdf).statistic
    total = np.abs(noise).sum() / scale
    low, high = stats.gamma(n).ppf(false_alarm / 4), stats.gamma(n).isf(false_alarm / 4)
    return distance <= math.sqrt(math.log(2 / (false_alarm / 2)) / (2 * n)) and low <= total <= high


def test_laplace_scale_of_the_simulated_door():
    mechanism = Laplace(sensitivity=3.0, epsilon=0.5)
    noise = mechanism.scale * simulate.laplace(200_000, np.random.default_rng(0))
    assert check_laplace(noise, 6.0, 1e-3)
    assert not check_laplace(noise, 6.0 * 1.02, 1e-3)


def test_laplace_scale_of_the_real_door():
    mechanism = Laplace(sensitivity=3.0, epsilon=0.5)
    noise = np.array([release.laplace(10.0, mechanism) for _ in range(5000)]) - 10.0
    assert check_laplace(noise, 6.0, FALSE_ALARM)
    assert not check_laplace(noise, 6.0 * 1.25, FALSE_ALARM)


def test_gaussian_scale_of_the_real_door_and_its_progress():
    mechanism = Gaussian(sensitivity=2.0, epsilon=1.0, delta=1e-5)
    values = np.arange(5000.0).reshape(1000, 5)
    steps = [(done, array.copy()) for done, array in release.gaussian(values, mechanism, chunk=2000)]
    assert [done for done, _ in steps] == [2000, 4000, 5000]
    assert np.isnan(steps[0][1]).sum() == 3000
    released = steps[-1][1]
    assert released.shape == values.shape
    noise = ((released - values) / mechanism.sigma).ravel()
    limit = math.sqrt(math.log(2 / (FALSE_ALARM / 2)) / (2 * len(noise)))
    assert stats.kstest(noise, "norm").statistic <= limit
    squares = (noise**2).sum()
    assert stats.chi2(5000).ppf(FALSE_ALARM / 4) <= squares <= stats.chi2(5000).isf(FALSE_ALARM / 4)


def test_the_real_door_asks_the_library_whether_epsilon_is_kept():
    # 0.1/0.3 and the like are not numbers a machine has: the scale must end on the safe side of them.
    for sensitivity, epsilon in [(0.1, 0.3), (1 / 3, 0.7), (1e-9, 1e-3), (12.65, 1e3)]:
        assert math.isfinite(release.laplace(0.0, Laplace(sensitivity, epsilon)))
        assert release.select(Exponential(np.array([0.0, 1.0]), sensitivity, epsilon)) in (0, 1)


def test_the_real_door_refuses_a_mechanism_that_states_too_little_noise():
    class HalfLaplace(Laplace):
        scale = property(lambda self: 0.5 * self.sensitivity / self.epsilon)

    class HalfExponential(Exponential):
        scale = property(lambda self: self.sensitivity / self.epsilon)

    with pytest.raises(ValueError, match=r"epsilon is 1\.0; no noise"):
        release.laplace(0.0, HalfLaplace(1.0, 1.0))
    with pytest.raises(ValueError, match=r"epsilon is 1\.0; no noise"):
        release.select(HalfExponential(np.zeros(3), 1.0, 1.0))


def test_two_identical_real_releases_differ():
    np.random.seed(0)  # noqa: NPY002 - the door must not listen
    first = [release.laplace(1.0, Laplace(1.0, 1.0)) for _ in range(3)]
    np.random.seed(0)  # noqa: NPY002
    assert first != [release.laplace(1.0, Laplace(1.0, 1.0)) for _ in range(3)]
    *_, (_, one) = release.gaussian([0.0, 0.0], Gaussian(1.0, 1.0, 1e-5))
    *_, (_, two) = release.gaussian([0.0, 0.0], Gaussian(1.0, 1.0, 1e-5))
    assert (one != two).all()
    many = Exponential(np.zeros(1000), 1.0, 1.0)
    assert [release.select(many) for _ in range(4)] != [release.select(many) for _ in range(4)]


def test_simulations_repeat_with_their_seed():
    for draw in (lambda rng: simulate.laplace(5, rng), lambda rng: simulate.gaussian((2, 3), rng)):
        np.testing.assert_array_equal(draw(np.random.default_rng(7)), draw(np.random.default_rng(7)))


DOOR = "privbo_core.privacy.release"
FORBIDDEN = {"rng", "seed", "random_state", "generator", "noise"}


def sources():
    for path in ENGINE.rglob("*.py"):
        name = ".".join(["privbo_core", *path.relative_to(ENGINE).with_suffix("").parts]).removesuffix(".__init__")
        yield name, path.read_text()


def paths_to_the_door(modules):
    """Return (functions that reach the release door, directly or through others, and what is wrong with them).

    ``modules``: (dotted name, source) pairs. A function reaches the door if any name in its body resolves, through the
    imports of its module, to the door or to a function of that name that reaches it.
    """
    parsed = {name: ast.parse(source) for name, source in modules}
    aliases = {}
    for name, tree in parsed.items():
        found = aliases[name] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                found.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
            elif isinstance(node, ast.Import):
                found.update({alias.asname or alias.name.split(".")[0]: alias.name for alias in node.names})
    functions = {
        f"{name}.{node.name}": (name, node)
        for name, tree in parsed.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    reaching = {key for key, (name, _) in functions.items() if name == DOOR}

    def names(module, node):
        for inner in ast.walk(node):
            dotted = ast.unparse(inner) if isinstance(inner, (ast.Attribute, ast.Name)) else ""
            if not dotted:
                continue
            head, _, rest = dotted.partition(".")
            full = aliases[module].get(head, f"{module}.{head}") + (f".{rest}" if rest else "")
            yield full
            if full.startswith(("privbo_core.", "pb.")):
                # A name re-exported by its package: privbo_core.release.draw is privbo_core.release.draw.draw.
                package, _, last = full.rpartition(".")
                yield from (key for key in reaching if key.startswith(f"{package}.") and key.endswith(f".{last}"))

    while True:
        more = {
            key
            for key, (module, node) in functions.items()
            if key not in reaching
            and any(full in reaching or full == DOOR or full.startswith(f"{DOOR}.") for full in names(module, node))
        }
        if not more:
            break
        reaching |= more
    wrong = []
    for key in sorted(reaching):
        module, node = functions[key]
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        wrong += [
            f"{key} takes {argument.arg}"
            for argument in arguments
            if argument.arg in FORBIDDEN or "Generator" in ast.unparse(argument.annotation or ast.Constant(""))
        ]
        wrong += [f"{key} is cached" for decorator in node.decorator_list if "cache" in ast.unparse(decorator)]
        wrong += [f"{key} seeds" for full in names(module, node) if "default_rng" in full or "numpy.random" in full]
    return reaching, wrong


def test_no_path_reaches_the_release_door_with_a_seed():
    reaching, wrong = paths_to_the_door(sources())
    assert {f"{DOOR}.laplace", f"{DOOR}.select", f"{DOOR}.gaussian", "privbo_core.release.draw.draw"} <= reaching
    assert not wrong
    by_name = re.compile(r"importlib(?!\.metadata import)|__import__|sys\.modules")
    assert [module for module, source in sources() if by_name.search(source)] == [OWN_OBJECTIVES]


def test_the_one_function_that_is_found_by_its_name_is_none_of_ours():
    for name in ("privbo_core.privacy.release:laplace", "privbo_core:privacy.release.laplace"):
        with pytest.raises(pb.DataError, match="a function of your own"):
            function(name, Path())


@pytest.mark.parametrize(
    "planted",
    [
        "from privbo_core.privacy import release\ndef f(rng):\n    return release.laplace(rng.normal(), None)",
        "from privbo_core import privacy\ndef f(x, *, seed=0):\n    return privacy.release.select(x)",
        "import privbo_core as pb\ndef f(x, seed):\n    return pb.privacy.release.select(x)",
        "from privbo_core.privacy.release import laplace as l\ndef g(x):\n    return l(x, x)\n"
        "def f(x, r: 'np.random.Generator'):\n    return g(x)",
        "from privbo_core.release import draw\nfrom functools import cache\n"
        "@cache\ndef f(plan):\n    return draw(plan)",
        "import numpy as np\nfrom privbo_core.release.draw import draw\n"
        "def f(plan):\n    return draw(plan), np.random.default_rng(0)",
    ],
)
def test_the_walk_would_find_a_seeded_path(planted):
    _, wrong = paths_to_the_door([*sources(), ("privbo_core.planted", planted)])
    assert any("planted" in line for line in wrong)


def test_opendp_is_imported_by_a_release_and_by_nothing_else():
    script = (
        "import sys, numpy as np, privbo_core as pb; assert 'opendp' not in sys.modules; "
        "pb.privacy.gaussian_sigma(1, 1e-5, 1); pb.privacy.simulate.laplace(3, np.random.default_rng(0)); "
        "assert 'opendp' not in sys.modules; pb.privacy.release.laplace(0.0, pb.privacy.Laplace(1.0, 1.0)); "
        "assert 'opendp' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ENGINE.parent, check=True)


def test_releases_about_the_same_people_add_up():
    one = pb.privacy.Guarantee("a", "b", "c", 0.5, 1e-5, (), Status.PROVED, "d")
    other = pb.privacy.Guarantee("a", "b", "c", 2.0, 0.0, (), Status.CLAIMED, "d")
    assert pb.privacy.compose([one, one, other]) == (3.0, 2e-5)
    assert pb.privacy.compose([]) == (0, 0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pb.privacy.gaussian_sigma(0, 0.1, 1), "epsilon is 0"),
        (lambda: pb.privacy.gaussian_sigma(math.nan, 0.1, 1), "epsilon is nan"),
        (lambda: pb.privacy.gaussian_sigma(1, 1.0, 1), "delta is 1.0; it must lie strictly between 0 and 1"),
        (lambda: pb.privacy.gaussian_sigma(1, 0.1, -1), "sensitivity is -1"),
        (lambda: Laplace(0.0, 1.0), "sensitivity is 0.0"),
        (lambda: Laplace(1.0, math.inf), "epsilon is inf"),
        (lambda: Laplace(1e200, 1e-200), "scale .* is inf"),
        (lambda: Exponential(np.array([1.0]), 1.0, 1.0), "≥ 2 candidates"),
        (lambda: Exponential(np.array([1.0, math.nan]), 1.0, 1.0), "nan in row 1"),
        (lambda: Exponential(np.zeros(3), 1.0, -2.0), "epsilon is -2.0"),
        (lambda: release.laplace(math.inf, Laplace(1.0, 1.0)), "value is inf"),
        (lambda: release.gaussian([1.0, math.nan], Gaussian(1.0, 1.0, 0.1)), "not finite"),
        (lambda: Laplace(1.0, 1.0).half_width(1.0), "coverage is 1.0"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@given(st.floats(0.01, 0.99), st.floats(0.01, 8.0), st.floats(0.0, 0.5))
@settings(deadline=None)
def test_no_attacker_errs_less_and_one_errs_just_as_rarely(prior, epsilon, delta):
    # The sharpest (ε, δ) pair there is: with probability δ the secret is told, else by randomised response.
    shares = {
        "told 0": (delta, 0.0),
        "told 1": (0.0, delta),
        "says 0": ((1 - delta) / (1 + math.exp(-epsilon)), (1 - delta) / (1 + math.exp(epsilon))),
        "says 1": ((1 - delta) / (1 + math.exp(epsilon)), (1 - delta) / (1 + math.exp(-epsilon))),
    }
    best = sum(min((1 - prior) * p, prior * q) for p, q in shares.values())
    assert pb.privacy.least_error(prior, epsilon, delta) == pytest.approx(best, rel=1e-9, abs=1e-15)
