"""A rehearsal: one release of a sample, two searches with the same tests, the visitor's and the machine's."""

from dataclasses import dataclass, field

import numpy as np

from pages.parts.system import system
from pages.parts.views.picture import (
    NOISY,
    NON_PRIVATE,
    PAPER,
    RANDOM,
    SAMPLES,
    TEXT,
    Colour,
    End,
    Picture,
    spread_labels,
)
from pages.parts.views.text import epsilon_text, minus
from pages.parts.views.views import Figure, Finding, Table, table
from pages.parts.workbench.holder.table import Held
from pages.parts.workbench.modeler.seat import axis, dots, stars
from pages.parts.workbench.modeler.words import outcome_text
from privbo_core.errors import Array, DataError
from privbo_core.outsourced.parties.curator import Answer, Curator
from privbo_core.outsourced.parties.modeler import Modeler
from privbo_core.outsourced.parties.package import Package
from privbo_core.outsourced.parties.stores import MemoryStore


@dataclass(frozen=True)
class Rules:
    """What is played for: a sample at an ε, how many tests each has, whether the visitor chooses or answers."""

    sample: str
    epsilon: float
    tests: int
    by_hand: bool


@dataclass
class Game:
    """``mine`` are the visitor's tests, ``theirs`` the machine's."""

    held: Held
    rules: Rules
    curator: Curator
    package: Package
    machine: Modeler
    mine: list[Answer] = field(default_factory=list)
    theirs: list[Answer] = field(default_factory=list)

    @classmethod
    def begin(cls, held: Held, rules: Rules) -> "Game":
        curator = Curator(held.cells, MemoryStore())
        package = curator.release_whole(held.frame, rules.epsilon, system.DELTA, outcome=held.outcome)
        return cls(held, rules, curator, package, Modeler(package))

    @property
    def by_hand(self) -> bool:
        return self.rules.by_hand

    @property
    def done(self) -> int:
        return len(self.mine) if self.by_hand else len(self.theirs)

    @property
    def over(self) -> bool:
        return self.done >= self.rules.tests

    @property
    def suggested(self) -> int:
        pending = self.machine.pending
        return pending[0] if pending else self.machine.ask()[0].row

    def choose(self, row: int) -> None:
        if not 1 <= row <= self.package.rows:
            raise DataError(f"There is no row {row}; rows go from 1 to {self.package.rows:,}.")
        if row in (test.row for test in self.mine):
            raise DataError(f"Row {row} was tested already; choose another.")
        self.mine.append(self.curator.answer(row))
        self.answer()

    def answer(self) -> None:
        test = self.curator.answer(self.suggested)
        self.machine.tell(test.row, test.value)
        self.theirs.append(test)

    def nearest(self, place: Array, columns: tuple[int, int]) -> int:
        """Return the row not tested yet that is nearest to a place on the map, counted in the map's own width."""
        points = self.package.values[:, list(columns)]
        away = (((points - place) / np.maximum(np.ptp(points, axis=0), 1e-300)) ** 2).sum(axis=1)
        away[[test.row - 1 for test in self.mine]] = np.inf
        return int(away.argmin()) + 1

    def rank(self, value: float) -> int:
        better = self.outcomes > value if self.held.outcome.larger_is_better else self.outcomes < value
        return int(better.sum()) + 1

    def best(self, tests: list[Answer]) -> Array:
        better = np.maximum if self.held.outcome.larger_is_better else np.minimum
        return better.accumulate(np.array([test.value for test in tests]))

    def chance(self) -> Array:
        """Return the best outcome so far on average, test by test, of rows drawn by chance and none twice.

        With v₁ the best of n outcomes: E = Σₖ vₖ (Sₖ₋₁ − Sₖ), where Sₖ = Πⱼ (n − k − j)/(n − j), over j below t, is the
        probability that t draws leave out the k best.
        """
        values = np.sort(self.outcomes)[:: -1 if self.held.outcome.larger_is_better else 1]
        n, kept = len(values), np.arange(len(values) + 1)
        left_out, found = np.ones(n + 1), []
        for drawn in range(self.rules.tests):
            left_out = left_out * np.maximum(n - kept - drawn, 0) / (n - drawn)
            found.append(float(values @ -np.diff(left_out)))
        return np.array(found)

    @property
    def outcomes(self) -> Array:
        released = self.held.table.dropna(subset=list(self.held.frame.names))
        return released[self.held.outcome.name].to_numpy(dtype=float)

    @property
    def lead(self) -> int:
        """Who has found more so far: 1 the visitor, −1 the machine, 0 neither."""
        return self.ahead(self.best(self.mine)[-1], self.best(self.theirs)[-1])

    def ahead(self, one: float, other: float) -> int:
        return int(np.sign(one - other)) * (1 if self.held.outcome.larger_is_better else -1)


MACHINE = "GP-UCB"
HOW = {
    True: (
        f"You see rows with noise on them. Point at one, test it, learn. {MACHINE} searches beside you, with the same "
        "rows and as many tests."
    ),
    False: (
        f"{MACHINE} sees rows with noise on them, and asks. You have the table: find the record behind each row, and "
        "answer."
    ),
}
"""What is to be done, by whether the visitor chooses."""


def standing(game: Game) -> str:
    told = game.held.sample
    found = best_text(game, game.theirs) if game.done else ""
    if game.over:
        tests = f"{game.rules.tests} {told.tests}"
        if not game.by_hand:
            rank = f"{placed(game, game.theirs)} of {game.package.rows:,}"
            return f"{MACHINE} found {found} in {tests}, {rank}, and never saw one {told.one}."
        yours = best_text(game, game.mine)
        if game.lead == 0:
            return f"A draw: both found {yours} in {tests}."
        return f"{'You win' if game.lead > 0 else f'{MACHINE} wins'}: you {yours} after {tests}, {MACHINE} {found}."
    left = game.rules.tests - game.done
    tests = f"{left} {told.tests}" if left > 1 else f"One {told.tests.removesuffix('s')}"
    if not game.done:
        return f"{tests} to find {told.sought} among {game.package.rows:,} {told.many}."
    you = f"You: {best_text(game, game.mine)}," if game.by_hand else "Found so far:"
    return f"{tests} left. {you} {MACHINE} {found}."


def ahead(game: Game) -> str:
    told = game.held.sample
    if not game.done:
        return "Nothing is tested yet"
    if not game.by_hand:
        more = game.ahead(game.best(game.theirs)[-1], game.chance()[game.done - 1]) > 0
        return f"{MACHINE} is {'ahead of' if more else 'behind'} what chance finds on average"
    if game.over:
        yours, theirs = placed(game, game.mine), placed(game, game.theirs)
        return f"Of {game.package.rows:,} {told.many} you found {yours}, {MACHINE} {theirs}"
    return ("You are level", "You are ahead", f"{MACHINE} is ahead")[game.lead]


def scale(game: Game) -> str:
    outcomes = game.outcomes
    top = float(outcomes.max() if game.held.outcome.larger_is_better else outcomes.min())
    best, chance = outcome_text(game.package, top), outcome_text(game.package, game.chance()[-1], 3)
    found = f"The best of all {game.held.sample.many} has {best}; chance finds {chance} on average."
    return f"{found} The next game can end otherwise."


def placed(game: Game, tests: list[Answer]) -> str:
    rank = game.rank(float(game.best(tests)[-1]))
    return "the best" if rank == 1 else f"number {rank:,}"


def best_text(game: Game, tests: list[Answer]) -> str:
    return outcome_text(game.package, float(game.best(tests)[-1]))


def holder_table(game: Game) -> Table:
    names, rows = game.held.frame.names, []
    for number, test in reversed(list(enumerate(game.mine if game.by_hand else game.theirs, start=1))):
        cells = game.held.table.iloc[test.record]
        inputs = (minus(f"{cells[name]:,.5g}") for name in names)
        rows.append((str(number), f"{test.row}", f"{test.record + 1:,}", *inputs, minus(f"{test.value:,.5g}")))
    return table(("test", "row", game.held.sample.one, *names, str(game.held.outcome)), rows)


MAP, RACE = "rehearsal-map", "rehearsal-race"
COLUMNS = (0, 1)


def noisy_map(game: Game, pending: list[int]) -> Figure:
    package, tests = game.package, game.mine if game.by_hand else game.theirs
    picture = Picture(height=420, margin={"l": 60, "r": 16, "t": 8, "b": 44}, dragmode=False)
    across, up = (package.values[:, column] for column in COLUMNS)
    dots(picture, across, up)
    rows = np.array([test.row - 1 for test in tests], dtype=int)
    if len(rows):
        outcome = game.held.outcome
        said = [[k + 1, outcome_text(package, test.value)] for k, test in enumerate(tests)]
        bar = {"title": {"text": str(outcome), "side": "right"}, "thickness": 10, "outlinewidth": 0}
        look = {"size": 18, "colorscale": "Cividis", "colorbar": bar, "line": {"color": PAPER, "width": 1.5}}
        hover, shades = "test %{customdata[0]}: %{customdata[1]}", [test.value for test in tests]
        picture.marks(across[rows], up[rows], "tested", hover, customdata=said, color=shades, **look)
    if game.by_hand and game.over:
        others = np.array([test.row - 1 for test in game.theirs], dtype=int)
        values = [outcome_text(package, test.value) for test in game.theirs]
        look = {"color": NON_PRIVATE, "symbol": "diamond-open", "size": 13, "line": {"width": 2}}
        hover = f"{MACHINE}: %{{customdata}}"
        picture.marks(across[others], up[others], MACHINE, hover, customdata=values, **look)
    where = np.array(pending, dtype=int) - 1
    stars(picture, across[where], up[where], "next")
    axes = [axis(column) for column in package.frame.columns[:2]]
    picture.axis("xaxis", axes[0])
    picture.axis("yaxis", axes[1])
    pointing = game.by_hand and not game.over
    title = "Point at the map, then test" if pointing else f"{package.rows:,} rows with noise on them"
    note = f"Discs: yours. Diamonds: {MACHINE}’s." if game.by_hand and game.over else "Discs: tested. Star: the next."
    alt = f"The noisy rows by {axes[0]} and {axes[1]}; tested rows coloured by what came out."
    return Figure(MAP, Finding(title, "simulation", note), picture, alt)


def race(game: Game) -> Figure:
    picture = Picture(height=290, margin={"l": 60, "r": 96, "t": 12, "b": 44})
    outcome, done = game.held.outcome, game.done
    chance = game.chance()
    curves: list[tuple[str, Array, Colour, str]] = [("chance", chance, RANDOM, "dot")]
    if done:
        curves.append((MACHINE, game.best(game.theirs), NON_PRIVATE, "dash"))
    if done and game.by_hand:
        curves.append(("you", game.best(game.mine), NOISY, "solid"))
    ends: dict[int, list[End]] = {}
    for name, values, colour, dash in curves:
        said, stairs = (name, {"shape": "hv"}) if name != "chance" else ("chance, on average", {})
        look = {"mode": "lines+markers" if stairs else "lines", "hovertemplate": f"{said}: %{{y:,.4g}} after %{{x}}"}
        line = {"color": colour, "dash": dash, "width": 3.5, **stairs}
        x = [float(t) for t in range(1, len(values) + 1)]
        picture.add("scatter", x=x, y=values, name=name, marker={"color": colour, "size": 7}, line=line, **look)
        ends.setdefault(len(values), []).append((float(values[-1]), f"{SAMPLES[dash]} {name}", colour))
    low, high = (float(pick([pick(values) for _, values, *_ in curves])) for pick in (np.min, np.max))
    room = 0.08 * (high - low) or 1.0
    for last, together in ends.items():
        for y, name, colour in spread_labels(together, 1.2 * room):
            picture.label(last, y, name, colour, xshift=9, size=15)
    better, place = ("↑ better", 0.93) if outcome.larger_is_better else ("↓ better", 0.04)
    picture.label(0.01, place, better, TEXT, xref="paper", yref="paper", size=18)
    picture.axis("xaxis", f"{game.held.sample.tests} made", range=[0.8, game.rules.tests + 0.2])
    picture.axis("yaxis", f"best found, {outcome}", range=[low - room, high + room])
    note = scale(game) if game.over else f"Released at ε = {epsilon_text(game.package.epsilon)}. Chance: on average."
    alt = "The best outcome found so far against the tests made: yours, the machine’s, and by chance on average."
    return Figure(RACE, Finding(ahead(game), "simulation", note), picture, alt)
