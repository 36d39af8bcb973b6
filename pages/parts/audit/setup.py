"""What can be picked on the Audit page: a mechanism and the attack on it.

On the Simple page also whom it is about, in plain words.
"""

from dataclasses import dataclass

import streamlit as st

from pages.parts import systems
from pages.parts.audit.textbook import TEXTBOOK
from pages.parts.export.offer import about_problem
from pages.parts.export.report import About
from pages.parts.shell.address import choose, visit
from pages.parts.system.system import Attack, Audited, Scene
from pages.parts.system.trials import TITLE


def audited() -> dict[str, Audited]:
    """Return all that can be audited, by key."""
    return {each.key: each for each in (*(each for system in systems.SYSTEMS for each in system.audited), TEXTBOOK)}


@dataclass(frozen=True)
class Picked:
    """The mechanism that is audited, by its ``key``, and the ``attack`` on it."""

    key: str
    attack: str

    @property
    def mechanism(self) -> Audited:
        """The mechanism that is audited."""
        return audited()[self.key]

    @property
    def attacked(self) -> Attack:
        """The attack on it."""
        return next(each for each in self.mechanism.attacks if each.key == self.attack)

    @property
    def which(self) -> str:
        """The name of the attack's panel of sliders."""
        return f"{self.key}/{self.attack}"

    @property
    def called(self) -> str:
        """What the mechanism is called."""
        return self.mechanism.name

    def about(self, scene: Scene) -> About:
        """Return what the report is about."""
        choices = ("Mechanism", self.called), ("Attack", self.attacked.name)
        if scene.simulation:
            return about_problem(TITLE, scene.problem, *choices)
        return About(TITLE, self.mechanism.data, choices=choices)

    def leave_others(self, depth: str) -> None:
        """Forget the sliders of another attack that was picked at this depth before: they have other ranges.

        Whoever comes by a link brings the settings that are meant.
        """
        memory, now = f"audit/{depth}", (visit(), self.which)
        before = st.session_state.get(memory, now)
        if before[0] == now[0] and before != now:
            for slider in self.attacked.sliders:
                st.query_params.pop(slider.key, None)
        st.session_state[memory] = now


@dataclass(frozen=True)
class Choice(Picked):
    """A mechanism and an attack on it as the Simple page offers them, under a ``name``, with a ``story``.

    ``story`` may name {holder}, {chooser}, {one} and {many} of the data. ``hidden`` and ``whom``: facts, a few words
    and a sentence more; where there are data, they are the data's. ``slider``: the one that is shown. ``guess``: what
    the attacker has to guess.
    """

    name: str
    story: str
    hidden: tuple[str, str] = ("", "")
    whom: tuple[str, str] = ("", "")
    slider: str = "epsilon"
    guess: str = "which of two records it was"

    @property
    def called(self) -> str:
        """What the mechanism is called in plain words."""
        return self.name


CHOICES = (
    Choice(
        "projection",
        "rebuild",
        "The paper’s projection",
        "{holder} hands out its table as a projection: its columns, mixed. Somebody happens to know a few {many}. How "
        "much does that tell of the others?",
    ),
    Choice(
        "noisy",
        "sharpest",
        "The noisy release",
        "{holder} hands out its table with noise added. The attacker knows all of it but one {one}, and of that one "
        "that it is one of two: which?",
    ),
    Choice(
        "selection",
        "both",
        "Publishing the best setting",
        "A team publishes a good setting, drawn at random, with its score. The attacker has two tables that differ in "
        "one record: which was it?",
        ("One record", "of those that the settings were tried on."),
        ("Every reader", "of the setting and its score."),
    ),
    Choice(
        "canary",
        "all",
        "Tuning together",
        "Many tune together through a server, which adds noise. One of them sends all that the rules allow. Whoever "
        "listens asks: did it take part?",
        ("Who took part", "and what each of them has."),
        ("Everybody who listens", "to the server, but not the server itself."),
        "z",
        "who took part",
    ),
)


def pick() -> Picked:
    """Show the pickers of a mechanism and of an attack on it."""
    offered = audited()
    key = choose(st.selectbox, "Mechanism", list(offered), key="audited", format_func=lambda key: offered[key].name)
    attacks = {each.key: each.name for each in offered[key].attacks}
    picked = Picked(
        key, choose(st.radio, "Attack", list(attacks), key=f"attack-{key}", format_func=attacks.__getitem__)
    )
    picked.leave_others("which")
    return picked


def pick_plainly() -> Choice:
    """Show the Simple page's picker; the choice is the one of Expert's mechanisms."""
    offered = {each.key: each for each in CHOICES}
    key = choose(
        st.selectbox,
        "What is audited",
        list(offered),
        key="audited",
        persist_state="session",
        format_func=lambda key: offered[key].name,
    )
    offered[key].leave_others("simple")
    return offered[key]
