"""Noise mechanisms, their calibration, and the two doors that noise comes through.

The release door cannot be seeded. Its tests compare with exact quantiles chosen so that a sound door fails each of
them less than once in a million runs.
"""

import ast
import math
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, stats

import privbo_core as pb
from privbo_core.privacy import Exponential, Gaussian, Laplace, release, simulate
from tests.helpers.refusing import refusals

ENGINE = Path(pb.__file__).parent
FALSE_ALARM = 1e-6


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


def check_laplace(noise, scale, false_alarm):
    """Kolmogorov–Smirnov (Massart's inequality: exact) and Σ|x|/b ~ Gamma(n, 1), each at half the false alarm."""
    n = len(noise)
    distance = stats.kstest(noise, stats.laplace(scale=scale).cdf).statistic
    total = np.abs(noise).sum() / scale
    low, high = stats.gamma(n).ppf(false_alarm / 4), stats.gamma(n).isf(false_alarm / 4)
    return distance <= math.sqrt(math.log(2 / (false_alarm / 2)) / (2 * n)) and low <= total <= high


def test_simulated_and_real_laplace_noise_have_the_scale():
    mechanism = Laplace(sensitivity=3.0, epsilon=0.5)
    simulated = mechanism.scale * simulate.laplace(200_000, np.random.default_rng(0))
    real = np.array([release.laplace(10.0, mechanism) for _ in range(5000)]) - 10.0
    for noise, false_alarm, seen in ((simulated, 1e-3, 1.02), (real, FALSE_ALARM, 1.25)):
        assert check_laplace(noise, 6.0, false_alarm)
        assert not check_laplace(noise, 6.0 * seen, false_alarm)


# 0.1/0.3 and the like are not numbers a machine has: the scale must end on the safe side of them.
@pytest.mark.parametrize(("sensitivity", "epsilon"), [(0.1, 0.3), (1 / 3, 0.7), (1e-9, 1e-3), (12.65, 1e3)])
def test_real_releases_are_checked_by_the_noise_library(sensitivity, epsilon):
    assert math.isfinite(release.laplace(0.0, Laplace(sensitivity, epsilon)))
    assert release.select(Exponential(np.array([0.0, 1.0]), sensitivity, epsilon)) in (0, 1)


def test_two_identical_real_releases_differ():
    def released():
        np.random.seed(0)  # noqa: NPY002 - the door must not listen
        *_, (_, gaussian) = release.gaussian([0.0, 0.0], Gaussian(1.0, 1.0, 1e-5))
        rows = [release.select(Exponential(np.zeros(1000), 1.0, 1.0)) for _ in range(4)]
        return [release.laplace(1.0, Laplace(1.0, 1.0)) for _ in range(3)], gaussian.tolist(), rows

    assert all(one != other for one, other in zip(released(), released(), strict=True))


def test_simulations_repeat_with_their_seed():
    for draw in (lambda rng: simulate.laplace(5, rng), lambda rng: simulate.gaussian((2, 3), rng)):
        np.testing.assert_array_equal(draw(np.random.default_rng(7)), draw(np.random.default_rng(7)))


DOOR = "privbo_core.privacy.release"
FORBIDDEN = {"rng", "seed", "random_state", "generator", "noise"}


@cache
def sources():
    return {
        ".".join(["privbo_core", *path.relative_to(ENGINE).with_suffix("").parts]).removesuffix(".__init__"): (
            path.read_text(encoding="utf-8")
        )
        for path in ENGINE.rglob("*.py")
    }


def dotted(node):
    """Return ``package.module.name`` of an expression that is no more than that, and nothing of any other."""
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return inner and f"{inner}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


@cache
def functions(module, source):
    """Return each function of a module, and the names in its body in full, through the imports of the module."""
    tree, aliases, found = ast.parse(source), {}, {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            aliases |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            aliases |= {alias.asname or alias.name.split(".")[0]: alias.name for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = {name.partition(".") for name in map(dotted, ast.walk(node)) if name}
            full = {aliases.get(head, f"{module}.{head}") + dot + rest for head, dot, rest in names}
            found[f"{module}.{node.name}"] = node, full
    return found


def paths_to_the_door(modules):
    """Return (functions that reach the release door, directly or through others, and what is wrong with them).

    A function reaches the door if any name in its body is the door's, or that of a function that reaches it; a name
    may be re-exported by its package: privbo_core.release.draw is privbo_core.release.draw.draw.
    """
    known = {key: value for name, source in modules.items() for key, value in functions(name, source).items()}
    reaching = {key for key in known if key.rpartition(".")[0] == DOOR}

    def reaches(name, by_last):
        package, _, last = name.rpartition(".")
        again = package.startswith("privbo_core") and any(
            key.startswith(f"{package}.") for key in by_last.get(last, ())
        )
        return again or name in reaching or f"{name}.".startswith(f"{DOOR}.")

    more = reaching
    while more:
        by_last = {}
        for key in reaching:
            by_last.setdefault(key.rpartition(".")[2], []).append(key)
        waiting = known.keys() - reaching
        more = {key for key in waiting if any(reaches(name, by_last) for name in known[key][1])}
        reaching |= more
    wrong = []
    for key in sorted(reaching):
        node, names = known[key]
        taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        typed = {argument.arg: ast.unparse(argument.annotation or ast.Constant("")) for argument in taken}
        bad = [each[0] for each in typed.items() if each[0] in FORBIDDEN or "Generator" in each[1]]
        wrong += [f"{key} takes {name}" for name in bad]
        wrong += [f"{key} is cached" for decorator in node.decorator_list if "cache" in ast.unparse(decorator)]
        wrong += [f"{key} seeds" for name in names if "default_rng" in name or "numpy.random" in name]
    return reaching, wrong


def test_no_path_reaches_a_real_release_with_a_seed():
    reaching, wrong = paths_to_the_door(sources())
    assert {f"{DOOR}.laplace", f"{DOOR}.select", f"{DOOR}.gaussian", "privbo_core.release.draw.draw"} <= reaching
    assert not wrong
    by_name = re.compile(r"importlib(?!(\.| import )metadata)|__import__|sys\.modules")
    found = {module for module, source in sources().items() if by_name.search(source)}
    assert found == {"privbo_core"}, "it loads its own packages, and nothing else"


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
    _, wrong = paths_to_the_door(sources() | {"privbo_core.planted": planted})
    assert any("planted" in line for line in wrong)


def half(kind, name, *given):
    """Return a mechanism that states half the noise that it needs."""
    return type("Half", (kind,), {name: property(lambda self: 0.5 * getattr(kind(*given), name))})(*given)


test_unusable_input_is_refused = refusals(
    (lambda: Laplace(0.0, 1.0), "sensitivity is 0.0"),
    (lambda: Laplace(1.0, math.inf), "epsilon is inf"),
    (lambda: Laplace(1e200, 1e-200), "scale .* is inf"),
    (lambda: Exponential(np.array([1.0]), 1.0, 1.0), "at least 2 candidates"),
    (lambda: Exponential(np.array([1.0, math.nan]), 1.0, 1.0), "nan in row 1"),
    (lambda: Exponential(np.zeros(3), 1.0, -2.0), "epsilon is -2.0"),
    (lambda: release.laplace(math.inf, Laplace(1.0, 1.0)), "value is inf"),
    (lambda: Laplace(1.0, 1.0).half_width(1.0), "coverage is 1.0"),
    (lambda: release.laplace(0.0, half(Laplace, "scale", 1.0, 1.0)), r"epsilon is 1\.0. OpenDP does not"),
    (lambda: release.select(half(Exponential, "scale", np.zeros(3), 1.0, 1.0)), r"epsilon is 1\.0. OpenDP does not"),
    (
        lambda: list(release.gaussian([0.0], half(Gaussian, "sigma", 1.0, 1.0, 1e-5))),
        r"epsilon is 1\.0. OpenDP does not",
    ),
)
