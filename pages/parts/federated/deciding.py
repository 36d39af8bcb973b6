"""What Decide asks about Federated: agents who tune together, ε over all rounds, against sharing without privacy."""

from dataclasses import replace
from functools import lru_cache, partial

from pages.parts.federated.agents import GRADES, pick_agents
from pages.parts.federated.setup import pick_runs, set_up
from pages.parts.live.sliders import Controls
from pages.parts.system.deciding import Decided
from pages.parts.system.question import Inquiry, Unit
from privbo_core.deployment.made import FEDERATED_ACTORS
from privbo_core.deployment.record import up
from privbo_core.federated import Settings, guarantee, trade_off
from privbo_core.gp import SquaredExponential
from privbo_core.privacy import TradeOff
from privbo_core.tradeoff import dial_at, federated_question


def decision() -> Inquiry:
    """Show whose objectives it is about; return what is asked, at the settings that the system's page starts with."""
    agents = pick_agents(GRADES)
    setup = set_up(agents)
    settings, N, words = setup.settings, setup.N, agents.wording
    scale = agents.scale * words.size
    runs = pick_runs()
    first, own = agents.first, agents.columns is not None
    return Inquiry(
        task="Federated",
        question=federated_question(
            setup.simulation, settings, N, measure="early", method="pld", sensitivity="exact", dials=("z",)
        ),
        of=(setup.key, runs),
        panel=[],
        controls=Controls({"runs": float(runs)}),
        low=0.1,
        high=100.0,
        size=float(first.objectives.std(axis=1).mean()),
        units=(Unit(words.unit, partial(_times, scale), partial(_times, 1 / scale)),),
        cost_is=f"how far each {words.one} stays from its own best",
        epsilon_is=f"ε after {settings.iterations} rounds",
        relation="One agent takes part in the whole run, or stays away.",
        data=first.title,
        own=own,
        lines=lambda: ([], []),
        show_meaning=lambda epsilon: None,
        promise=lambda epsilon: guarantee(
            at_epsilon(settings, N, epsilon), N, "pld", "exact", problem=first, counted=epsilon
        ),
        decided=Decided(
            story=f"{N:,} {words.many} are to tune {words.what} together in {settings.iterations} rounds: a trusted "
            f"server broadcasts sums with noise, and nobody else learns whether {words.a_one} took part.",
            goes_out=f"broadcast a noisy sum to all in each of {settings.iterations} rounds",
            guess=f"whether {words.a_one} took part",
            costs_of=f"{words.unit} in the first {setup.early} rounds, against sharing without privacy",
            alone=f"against each {words.one} alone",
            unit=f"One {words.one}, with all that it sends in {settings.iterations} rounds",
            actors=FEDERATED_ACTORS,
            unprotected=(
                f"The server sees what each {words.one} sends.",
                f"How many {words.many} there are, the list of settings and where each starts are public.",
                f"What {words.a_one} does with its result is not covered, and a second run adds to the first.",
            ),
            fixed=(
                (words.many, f"{N:,}"),
                ("rounds", f"{settings.iterations}"),
                ("taking part in a round", f"each with probability {settings.q:g}"),
                ("clipping", f"S = {settings.S:g}"),
            ),
            fixed_at=lambda epsilon: (("noise", f"z = {up(at_epsilon(settings, N, epsilon).z)}, or more"),),
            product="Machine learning model",
            model="Federated",
            line=lambda epsilon: _line(at_epsilon(settings, N, epsilon), N),
            public=not own,
        ),
    )


def at_epsilon(settings: Settings, agents: int, epsilon: float) -> Settings:
    """Return the settings with the least noise that keeps all rounds together at ε, counted exactly."""
    return replace(settings, z=dial_at("z", epsilon, settings, agents, "pld", "exact"))


NOBODY = SquaredExponential(1.0)
"""In place of a model that may have been fitted to somebody's data: what is promised does not depend on it."""


def _line(settings: Settings, agents: int) -> TradeOff:
    """Return what all rounds tell about one agent; nothing that is anybody's stays behind."""
    return _counted(replace(settings, kernel=NOBODY, noise_variance=1.0), agents)


_counted = lru_cache(maxsize=64)(trade_off)


def _times(factor: float, cost: float) -> float:
    return factor * cost
