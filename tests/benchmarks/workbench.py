"""`python -m tests.benchmarks.workbench`: what two parties find on the samples."""

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import gammaln
from tqdm import tqdm

from privbo_core.data import Frame, read_frame
from privbo_core.data.samples import FOLDER
from privbo_core.errors import Array
from privbo_core.outsourced import Curator, MemoryStore, Modeler, Outcome, Package, Private, ReleaseTerms
from privbo_core.outsourced.parties.package import rounded
from privbo_core.privacy import simulate
from tests.benchmarks.keeping import keep_results, mean_and_error, parser
from tests.benchmarks.searches import among_best

Records = NDArray[np.int64]
Answer = Callable[[int], float]
TESTS, DELTA = 30, 1e-5
OUTCOMES = {
    "hospital": Outcome("free_light_chain", "mg/dL"),
    "loans": Outcome("roi", "% a year"),
    "homes": Outcome("price_per_area", "USD per m²", larger_is_better=False),
}
ANSWERS = Private(
    low=0.0,
    high=100.0,
    hide=0.5,
    epsilon=1.0,
    delta=DELTA,
    known_from="Healthy people have from 0.9 to 4.6 mg/dL, and hardly any patient has above 100 mg/dL; so wide a range "
    "costs nothing, as the noise is made for the hidden change. Hidden: 0.5 mg/dL, a tenth of the highest normal one.",
)
"""How the hospital answers privately. Noise of 1.9 mg/dL: as much as the outcomes of its records differ by."""
SEEDED, SYSTEM = "seeded", "operating system"
ABOUT_NOISE = (
    "Seeded: noise and the order of the rows are those of the repetition's number, so that the figures come out again; "
    "all else is as in a real release. Operating system: real releases and real answers by the holder's program, whose "
    "figures come out again within their errors."
)
MADE = "2026-01-01T00:00:00+00:00"
"""The time that stands in seeded releases, which are made whenever somebody measures."""


@dataclass(frozen=True)
class Way:
    """How a search goes: on which ``sample``, with inputs at ``epsilon``, in batches of so many tests.

    ``answers``: ε of each private answer, None for exact ones. ``noise``: from a seed, so that everybody measures the
    same; or from the operating system as in any real release, by the holder's own program, and never again the same.
    """

    sample: str
    epsilon: float
    batch: int = 1
    answers: float | None = None
    noise: str = SEEDED


WAYS = (
    *(Way("hospital", epsilon) for epsilon in (0.5, 1.0, 3.0)),
    *(Way("hospital", 1.0, batch=batch) for batch in (5, 10)),
    Way("hospital", 1.0, answers=ANSWERS.epsilon),
    Way("hospital", 1.0, noise=SYSTEM),
    *(Way("loans", epsilon) for epsilon in (1.0, 3.0, 10.0)),
    *(Way("homes", epsilon) for epsilon in (1.0, 3.0, 10.0)),
)


@dataclass(frozen=True)
class Found:
    """What ``repetitions`` of a search found; they differ in noise and in the order of the rows.

    ``ranks``: of each repetition's best record among those tested, 1 for the best of all; equal outcomes have the same
    rank. ``among_best``: how many of them are among the best 0.1 % of the ``rows`` (by lot: how many are expected).
    ``named``, ``named_mean_rank``: the same of the record that the modeler takes for the best, which is the best tested
    where answers are exact.
    """

    sample: str
    way: str
    epsilon: float | None
    batch: int
    answers: float | None
    noise: str | None
    tests: int
    rows: int
    repetitions: int
    among_best: float
    mean_rank: float
    standard_error: float
    named: int | None
    named_mean_rank: float | None
    ranks: list[int]


def found(way: Way, repetitions: int, first: int = 0) -> Found:
    """Return what a search finds in repetitions ``first``, ``first`` + 1, …; about a second for each."""
    held = Held.of(way.sample)
    both = [_repetition(held, way, number) for number in range(first, first + repetitions)]
    ranks, named = map(list, zip(*both, strict=True))
    mean, error = mean_and_error(ranks)
    return Found(
        **vars(way),
        way="modeler",
        tests=TESTS,
        rows=held.rows,
        repetitions=repetitions,
        among_best=among_best(np.array(ranks), held.rows),
        mean_rank=mean,
        standard_error=error,
        named=among_best(np.array(named), held.rows),
        named_mean_rank=float(np.mean(named)),
        ranks=ranks,
    )


def chance(sample: str, repetitions: int) -> Found:
    """Return what is expected of 30 different records drawn by lot. Computed, not drawn."""
    held = Held.of(sample)
    n, ranks = held.rows, np.sort(held.ranks)
    # The best of T of n stands in place j, from 1, with probability C(n − j, T − 1) / C(n, T).
    place = np.arange(1, n - TESTS + 2)
    several = gammaln(n - place + 1) - gammaln(TESTS) - gammaln(n - place - TESTS + 2)
    likely = np.exp(several - (gammaln(n + 1) - gammaln(TESTS + 1) - gammaln(n - TESTS + 1)))
    first = ranks[: len(place)]
    mean = float(likely @ first)
    return Found(
        **dict.fromkeys(("epsilon", "answers", "noise", "named", "named_mean_rank")),
        **{"sample": sample, "way": "chance", "batch": 1, "tests": TESTS, "rows": n, "repetitions": repetitions},
        among_best=repetitions * float(likely @ (first <= math.ceil(1e-3 * n))),
        mean_rank=mean,
        standard_error=math.sqrt(float(likely @ (first - mean) ** 2) / repetitions),
        ranks=[],
    )


@dataclass(frozen=True, eq=False)
class Held:
    """A sample's table as its holder has it, the records whose inputs are whole, and their ``ranks`` by outcome."""

    table: pd.DataFrame
    frame: Frame
    outcome: Outcome
    inputs: Array
    outcomes: Array
    ranks: Records

    @classmethod
    def of(cls, sample: str) -> "Held":
        frame, outcome = read_frame(FOLDER / f"{sample}.frame.json"), OUTCOMES[sample]
        table = pd.read_csv(FOLDER / f"{sample}.csv").dropna(subset=list(frame.names), ignore_index=True)
        outcomes = table[outcome.name].to_numpy(dtype=float)
        better = -outcomes if outcome.larger_is_better else outcomes
        ranks = np.searchsorted(np.sort(better), better, side="left") + 1
        return cls(table, frame, outcome, frame.numbers(table), outcomes, ranks.astype(np.int64))

    @property
    def rows(self) -> int:
        return len(self.outcomes)


def seeded(held: Held, way: Way, number: int) -> tuple[Package, Records, Answer]:
    """Return a release whose order and noise are a seed's, the record in each of its rows, and who answers.

    All else in it is as `Curator.release` makes it. Never to be published.
    """
    order = np.random.default_rng([0, number]).permutation(held.rows)
    private = None if way.answers is None else ANSWERS
    terms = ReleaseTerms(held.frame, way.epsilon, DELTA, 1.0, 1, MADE)
    z = held.frame.place(held.inputs[order])
    z += terms.sigma * simulate.gaussian(z.shape, np.random.default_rng([1, number]))
    values = rounded(held.frame.to_original(z), held.frame.hide * terms.sigma)
    package = Package(held.frame, way.epsilon, DELTA, 1.0, 1, MADE, held.outcome, private, values)
    noise = simulate.gaussian(held.rows, np.random.default_rng([2, number]))

    def answer(row: int) -> float:
        exact = float(held.outcomes[order[row - 1]])
        return exact if private is None else private.clip(exact) + private.sigma * float(noise[row - 1])

    return package, order, answer


def real(held: Held, way: Way) -> tuple[Package, Records, Answer]:
    curator = Curator(held.table, MemoryStore())
    private = None if way.answers is None else ANSWERS
    package = curator.release_whole(held.frame, way.epsilon, DELTA, outcome=held.outcome, private=private)
    return package, curator.ledger.released(1).order, lambda row: curator.answer(row).value


def _repetition(held: Held, way: Way, number: int) -> tuple[int, int]:
    """Return the rank of the best record tested, and of the one that the modeler takes for it."""
    package, order, answer = real(held, way) if way.noise == SYSTEM else seeded(held, way, number)
    modeler = Modeler(package)
    while len(modeler.outcomes) < TESTS:
        for asked in modeler.ask(min(way.batch, TESTS - len(modeler.outcomes))):
            modeler.tell(asked.row, answer(asked.row))
    best = modeler.best
    assert best is not None
    tested = held.ranks[order[[row - 1 for row in modeler.outcomes]]]
    return int(tested.min()), int(held.ranks[order[best.row - 1]])


def table(results: Iterable[Found]) -> str:
    lines = [
        "| sample | who | ε | tests at once | answers | noise | best 0.1 % | mean rank | named |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for each in results:
        by_lot = each.epsilon is None
        cells = (
            each.sample,
            "30 records by lot" if by_lot else each.way,
            "–" if by_lot else f"{each.epsilon:g}",
            "–" if by_lot else f"{each.batch}",
            "–" if by_lot else "exact" if each.answers is None else f"private, ε = {each.answers:g}",
            "–" if each.noise is None else each.noise,
            f"{each.among_best:.2g} of {each.repetitions}",
            f"{each.mean_rank:.1f} ± {each.standard_error:.1f}",
            "–" if each.named is None else f"{each.named} of {each.repetitions}, {each.named_mean_rank:.1f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    read = parser("workbench", __doc__, samples=f"all if left out: {', '.join(OUTCOMES)}")
    read.add_argument("--repetitions", type=int, default=20, metavar="N", help="searches of each kind (20)")
    options = read.parse_args(arguments)
    if unknown := set(options.names) - set(OUTCOMES):
        sys.stderr.write(f"{min(unknown)!r} is no sample to search; there are {', '.join(map(repr, OUTCOMES))}.\n")
        return 2
    if options.repetitions < 2:
        sys.stderr.write(f"repetitions is {options.repetitions}; a standard error needs at least 2.\n")
        return 2
    results: list[Found] = []
    for name in options.names or OUTCOMES:
        ways = [way for way in WAYS if way.sample == name]
        results += (found(way, options.repetitions) for way in tqdm(ways, desc=name, disable=None, leave=False))
        results.append(chance(name, options.repetitions))
    sys.stdout.write(table(results))
    command = " ".join(["workbench", *options.names, f"--repetitions {options.repetitions}"])
    keep_results(options, command, noise=ABOUT_NOISE, results=list(map(asdict, results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
