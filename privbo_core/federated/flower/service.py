"""The server's rounds: ask everybody, check what comes, broadcast, count, stop at the budget. Knows no network.

Everybody is asked in every round, and only the server knows whom it selects: neither an agent nor the traffic tells.
An agent that is late, gone or sends garbage counts as if it had taken part, and its vector as zero.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from privbo_core import files
from privbo_core.errors import Array
from privbo_core.federated.flower.ledger import Book, Count
from privbo_core.federated.flower.member import seeded
from privbo_core.federated.flower.terms import Terms
from privbo_core.federated.server import Server

AT_THRESHOLD = 1.0 - 1e-9
"""An agent clips what it sends; a vector at least this long, in units of the threshold, was clipped."""


@dataclass(frozen=True, eq=False)
class Received:
    """What came from one agent, as it claims: nothing of it has been checked."""

    number: Any
    t: Any
    vector: Any
    regret: Any = None


@dataclass(frozen=True, eq=False)
class Heard:
    """The answers to one message to all: how many were ``connected``, what was ``received`` in time, what ``failed``."""

    connected: int
    received: tuple[Received, ...]
    failed: int = 0


@dataclass(frozen=True, eq=False)
class Checked:
    """Usable answers: ``sent``, N×M with zeros for agents that sent none, ``numbers`` of those who did, ``regrets``."""

    sent: Array
    numbers: frozenset[int]
    garbage: int
    regrets: list[float]


Ask = Callable[[int, Array | None], Heard]


def check(heard: Heard, t: int, terms: Terms) -> Checked:
    """Return what can be used of the answers to round ``t``; anything else is counted as garbage.

    A second answer in the name of the same agent is garbage: one agent moves the sum once.
    """
    settings, garbage = terms.settings, heard.failed
    sent, numbers, regrets = np.zeros((terms.agents, settings.features)), set(), []
    for each in heard.received:
        vector = _vector(each.vector, settings.features)
        known = isinstance(each.number, int) and not isinstance(each.number, bool) and 0 <= each.number < terms.agents
        if not known or each.t != t or each.number in numbers or (vector is None and t < settings.iterations):
            garbage += 1
            continue
        numbers.add(each.number)
        if vector is not None:
            sent[each.number] = vector
        if isinstance(each.regret, float) and math.isfinite(each.regret):
            regrets.append(each.regret)
    return Checked(sent, frozenset(numbers), garbage, regrets)


def _vector(value: object, features: int) -> Array | None:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return None
    # A length that overflows could not be clipped.
    usable = found.shape == (features,) and bool(np.abs(found).max(initial=0.0) < files.LARGEST)
    return found if usable else None


def serve(terms: Terms, book: Book, ask: Ask, say: Callable[[str], None], seed: int | None = None) -> int:
    """Run the federation and return how many rounds were broadcast.

    ``ask``: send all agents the number of a round and what is broadcast in it, and return what comes back in time.
    ``seed`` is for tests, and only where z is 0: the coins are then those of `federated.run`.
    """
    shared, streams = (terms.shared, None) if seed is None else seeded(terms, seed)
    server, settings = Server(terms.settings, terms.agents, streams), terms.settings
    heard = ask(0, None)
    for t in range(1, settings.iterations + 1):
        cost = book.after_one_more()
        if cost > terms.budget:
            say(f"ε would be {cost:.3g} after round {t}, above the budget of {terms.budget:g}: no more is broadcast.")
            book.end("budget")
            return t - 1
        found = check(heard, t - 1, terms)
        turn = server.turn(t, found.sent)
        assert turn.broadcast is not None
        lengths = np.linalg.norm(found.sent[sorted(found.numbers)], axis=1) * math.sqrt(settings.P) / settings.S
        count = Count(
            t=t,
            epsilon=cost,
            connected=heard.connected,
            answered=len(found.numbers),
            garbage=found.garbage,
            selected=int(turn.selected.sum()),
            clipped=float((lengths >= AT_THRESHOLD).mean()) if len(lengths) else 0.0,
            signal=turn.broadcast.signal,
            noise=turn.broadcast.noise,
            promised=tuple(terms.table[shared.promised(turn.broadcast.vectors).argmax()].tolist()),
        )
        book.broadcast(count)
        say(f"Round {t} of {settings.iterations}: {count.answered} of {terms.agents} answered, ε = {cost:.4g}.")
        heard = ask(t, turn.broadcast.vectors)
        regrets = check(heard, t, terms).regrets
        if regrets:
            book.outcomes(t, regrets)
    book.end("done")
    return settings.iterations
