"""`python -m tests.benchmarks.searches`: measure every search on every sample."""

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import get_args

from tqdm import tqdm

from privbo_core.bo import Search
from privbo_core.data import SAMPLES, Problem, sample
from privbo_core.errors import Array
from privbo_core.outsourced import Comparison, Policy, Setting, Simulation
from tests.benchmarks.keeping import keep_results, parser

T, EARLY, DELTA, R = 30, 10, 1e-5, 10
EPSILONS = (1.0, 3.0)
BEST_SHARE = 1e-3


@dataclass(frozen=True)
class Found:
    """One policy with one search on one sample, after T = 30 evaluations (``early``: after 10). Regret in σ_y.

    ``lead``: by how much chance's regret is larger in the same runs, with its 95 % interval. ``rank``: the median of
    the best row's rank, with its 95 % interval. ``among_best``: the runs that ended among the best 0.1 %.
    ``cost``: the regret over the same search without privacy, paired; None for a search without privacy.
    """

    sample: str
    search: Search
    once: bool
    policy: Policy
    epsilon: float | None
    runs: int
    regret: float
    regret_error: float
    early: float
    early_error: float
    lead: float
    lead_low: float
    lead_high: float
    rank: float
    rank_low: float
    rank_high: float
    among_best: int
    cost: float | None
    cost_error: float | None


def among_best(ranks: Array, n: int) -> int:
    return int((ranks <= math.ceil(BEST_SHARE * n)).sum())


def found(name: str, problem: Problem, runs: int) -> Iterator[Found]:
    simulation, of = Simulation(problem), (name, problem.n)
    references: tuple[Policy, ...] = tuple(dict.fromkeys(("plain", simulation.reference("noisy"))))

    def compared(setting: Setting, *policies: Policy) -> Comparison:
        everybody: tuple[Policy, ...] = ("random", "plain", *policies)
        by_policy = {each: tuple(simulation.stream(each, setting, runs)) for each in everybody}
        return Comparison(private=(), sigma_y=problem.sigma_y, **by_policy)

    for once in (False, True):
        for search in get_args(Search):
            for epsilon in EPSILONS:
                setting = Setting(epsilon, DELTA, R, T, search=search, once=once)
                here = compared(setting, *references, "noisy")
                if epsilon == EPSILONS[0]:
                    for policy in references:
                        yield _found(of, here, setting, policy, None)
                yield _found(of, here, setting, "noisy", epsilon)
    for epsilon in EPSILONS:
        setting = Setting(epsilon, DELTA, R, T, once=True)
        here = compared(setting, "local", "neighbour")
        yield _found(of, here, setting, "local", epsilon)
        yield _found(of, here, setting, "neighbour", epsilon)
    yield _found(of, here, setting, "random", None)


def _found(of: tuple[str, int], compared: Comparison, setting: Setting, policy: Policy, epsilon: float | None) -> Found:
    name, n = of
    band, lead, rank = compared.band(policy), compared.lead(policy), compared.typical_rank(policy)
    cost = compared.cost("noisy") if policy == "noisy" else None
    return Found(
        sample=name,
        search=setting.search,
        once=setting.once,
        policy=policy,
        epsilon=epsilon,
        runs=compared.runs,
        regret=float(band.mean[-1]),
        regret_error=float(band.standard_error[-1]),
        early=float(band.mean[EARLY - 1]),
        early_error=float(band.standard_error[EARLY - 1]),
        lead=lead.mean,
        lead_low=lead.low,
        lead_high=lead.high,
        rank=float(rank.median),
        rank_low=float(rank.low),
        rank_high=float(rank.high),
        among_best=among_best(compared.ranks(policy)[:, -1], n),
        cost=None if cost is None else cost.mean,
        cost_error=None if cost is None else cost.standard_error,
    )


def tables(results: Iterable[Found]) -> str:
    lines: list[str] = []
    sample = ""
    for each in results:
        if each.sample != sample:
            sample = each.sample
            lines += ["", f"### {sample}", "", HEAD, "|---|---|---|---|---|---|---|"]
        who = NAMES[each.policy] + ("" if each.epsilon is None else f", ε = {each.epsilon:g}")
        modelled = each.policy not in ("random", "neighbour")
        how = (each.search + (", once" if each.once else "")) if modelled else "–"
        lead = f"{each.lead:.3f} ({each.lead_low:.3f} to {each.lead_high:.3f})".replace("-", "−")
        cells = (
            who,
            how,
            f"{each.early:.3f} ± {each.early_error:.3f}",
            f"{each.regret:.3f} ± {each.regret_error:.3f}",
            "" if each.policy == "random" else lead,
            f"{each.rank:g} ({each.rank_low:g} to {each.rank_high:g})",
            f"{each.among_best} of {each.runs}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines).strip() + "\n"


HEAD = "| who | search | regret, t = 10 | regret, t = 30 | ahead of chance | median rank | best 0.1 % |"
NAMES: dict[Policy, str] = {
    "plain": "non-private",
    "noiseless": "non-private, same model",
    "noisy": "noisy release",
    "local": "local randomisation",
    "neighbour": "no model, noisy release",
    "random": "random search",
}


def main(arguments: Sequence[str] | None = None) -> int:
    read = parser("searches", __doc__, samples="all of them if left out")
    read.add_argument("--runs", type=int, default=40, metavar="N", help="runs of each policy (40)")
    options = read.parse_args(arguments)
    try:
        problems = {name: sample(name) for name in options.names or SAMPLES}
        results: list[Found] = []
        for name, problem in problems.items():
            results += tqdm(found(name, problem, options.runs), desc=name, disable=None, leave=False)
    except ValueError as problem_with_it:
        sys.stderr.write(f"{problem_with_it}\n")
        return 2
    sys.stdout.write(tables(results))
    command = " ".join(["searches", *options.names, f"--runs {options.runs}"])
    how = {"T": T, "early": EARLY, "initial": 5, "delta": DELTA, "unit": "σ_y"}
    keep_results(options, command, **how, results=list(map(asdict, results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
