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
from pages.parts.system.system import Attack, Audited, Scene, Simply
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
    """A mechanism and an attack on it as the Simple page offers them."""

    simply: Simply

    @property
    def called(self) -> str:
        """What the mechanism is called in plain words."""
        return self.simply.name


def choices() -> dict[str, Choice]:
    """Return what the Simple page offers, by key."""
    return {key: Choice(key, each.simply.attack, each.simply) for key, each in audited().items() if each.simply}


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
    offered = choices()
    key = choose(
        st.selectbox,
        "What is audited",
        list(offered),
        key="audited",
        persist_state="session",
        format_func=lambda key: offered[key].called,
    )
    offered[key].leave_others("simple")
    return offered[key]
