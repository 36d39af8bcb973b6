"""What can be picked on the Simple page of Audit: a mechanism in plain words, the attack that is shown, and whom it is about."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.parts import systems
from pages.parts.frame.address import choose, visit
from pages.parts.system.attack import Attack, Audited, Scene
from pages.parts.values.samples import Sample, of_table, plainly

LAST = "audit/simple"
"""What was audited last on this page, and on which visit."""
NOBODY = plainly("nobody")
Said = Callable[[Scene, Sample], tuple[str, str]]
"""A fact: a few words, and a sentence more."""


def spoken(scene: Scene) -> Sample:
    """Return how the data of a scene are spoken of."""
    return of_table(scene.problem) if scene.simulation else NOBODY


def _listed(parts: tuple[str, ...], one: str) -> tuple[str, str]:
    first, *others = parts
    return first[0].upper() + first[1:], f"of each {one}" + (f", or {', or '.join(others)}" if others else "")


def _of_a_projection(scene: Scene, spoken: Sample) -> tuple[str, str]:
    """Return what the paper's promise is about, in the paper's own measure: another one than that of the noisy release."""
    first, more = _listed(spoken.promised(scene.problem), spoken.one)
    return first, f"{more}, as the paper measures it."


def _of_a_noisy_table(scene: Scene, spoken: Sample) -> tuple[str, str]:
    first, more = _listed(spoken.hides(scene.problem, 1.0), spoken.one)
    return first, f"{more}."


def _the_other_party(scene: Scene, spoken: Sample) -> tuple[str, str]:
    return (
        spoken.chooser.capitalize(),
        "and everybody else who gets what is handed out.",
    )


@dataclass(frozen=True)
class Choice:
    """A mechanism by its ``key``, the ``attack`` on it that is shown, and both in plain words.

    ``story`` may name {holder}, {chooser}, {one} and {many} of the data. ``slider``: the one that is shown.
    ``guess``: what the attacker has to guess.
    """

    key: str
    attack: str
    name: str
    story: str
    hidden: Said
    whom: Said
    slider: str = "epsilon"
    guess: str = "which of two records it was"

    @property
    def which(self) -> str:
        """The name of the attack's panel of sliders, the same as in Expert."""
        return f"{self.key}/{self.attack}"

    @property
    def mechanism(self) -> Audited:
        """The mechanism as Expert knows it."""
        return next(each for system in systems.SYSTEMS for each in system.audited if each.key == self.key)

    @property
    def attacked(self) -> Attack:
        """The attack as Expert knows it."""
        return next(each for each in self.mechanism.attacks if each.key == self.attack)


CHOICES = (
    Choice(
        "projection", "rebuild", "The paper’s projection",
        "{holder} hands out its table as a projection: its columns, mixed. Somebody happens to know a few {many}. How much does that tell of "
        "the others?",
        _of_a_projection,
        _the_other_party,
    ),
    Choice(
        "noisy", "sharpest", "The noisy release",
        "{holder} hands out its table with noise added. The attacker knows all of it but one {one}, and of that one that it is one of two: "
        "which?",
        _of_a_noisy_table,
        _the_other_party,
    ),
    Choice(
        "selection", "both", "Publishing the best setting",
        "A team publishes a good setting, drawn at random, with its score. The attacker has two tables that differ in one record: "
        "which was it?",
        lambda scene, spoken: ("One record", "of those that the settings were tried on."),
        lambda scene, spoken: ("Every reader", "of the setting and its score."),
    ),
    Choice(
        "canary", "all", "Tuning together",
        "Many tune together through a server, which adds noise. One of them sends all that the rules allow. Whoever listens asks: "
        "did it take part?",
        lambda scene, spoken: ("Who took part", "and what each of them has."),
        lambda scene, spoken: ("Everybody who listens", "to the server, but not the server itself."),
        "z",
        "who took part",
    ),
)  # fmt: skip


def pick() -> Choice:
    """Show the picker; the choice is the one of Expert's mechanisms."""
    offered = {each.key: each for each in CHOICES}
    key = choose(st.selectbox, "What is audited", list(offered), key="audited", persist_state="session",
                 format_func=lambda key: offered[key].name)  # fmt: skip
    chosen = offered[key]
    now = visit(), chosen.which
    before = st.session_state.get(LAST, now)
    if before[0] == now[0] and before != now:
        # Chosen here: the address still holds the settings of another attack, whose sliders have other ranges.
        for slider in chosen.attacked.sliders:
            st.query_params.pop(slider.key, None)
    st.session_state[LAST] = now
    return chosen
