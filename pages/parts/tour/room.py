"""Asking the room: this session's teacher puts the question of a step on the phones, and shows what they say."""

import time
from collections.abc import Callable

import streamlit as st

from pages.parts.experiments.kinds import KINDS, kind_of
from pages.parts.experiments.poll.kind import NAME
from pages.parts.experiments.poll.projector import answers, told
from pages.parts.experiments.rooms import my_room
from pages.parts.frame.spot import Spot
from pages.parts.frame.undocumented import give_way
from pages.parts.show.chart import Chart
from pages.parts.show.templates import render
from pages.parts.tour.cover import Cover
from pages.parts.tour.lesson import Question
from privbo_core.classroom import News
from privbo_core.classroom.poll import Poll

SLOT, ASK = "tour-room", "Ask the room"
TICK, LOOK = 0.25, 0.05  # seconds between two ticks of the room's clock, and between two looks


class Asking:
    """The teacher’s room, if there is one, and what it is asked of this step."""

    def __init__(self, cover: Cover) -> None:
        self._cover, self._room = cover, my_room()
        self._said: Spot | None = None
        self._chart: Chart | None = None
        if self._room is not None:
            self._room.tick()

    def offer(self, question: Question) -> None:
        """Offer to ask the room; while it is asked, offer to show what it says."""
        if self._room is None:
            return
        if self._poll is None:
            playing = kind_of(self._room.kind)
            ends = (
                f"End “{playing.title}” and ask the room"
                if playing and playing in KINDS and self._room.answered
                else ASK
            )
            st.button(ends, key="tour-room-ask", icon=":material/groups:", on_click=self._ask, args=(question,))
            return
        st.button(
            "Show the answers",
            key="tour-room-show",
            icon=":material/visibility:",
            on_click=self._cover.answer,
            args=("",),
        )
        self._said = Spot("tour-room-count")

    def watch(self) -> None:
        """While the room is asked, keep saying how many have answered. The last thing that a page does."""
        if self._room is None or self._said is None:
            return
        drawn, ticked = -1, 0.0
        while (poll := self._poll) is not None and not poll.shown:
            now = time.monotonic()
            if now - ticked >= TICK:
                ticked = now
                self._room.tick()
            if self._room.version != drawn:
                drawn = self._room.version
                self._say(self._said, poll)
            time.sleep(LOOK)
            give_way()

    def show(self) -> None:
        """Draw what the room said, if it was asked this question."""
        if self._poll is not None:
            self._act(Poll.show)
            self._said, self._chart = Spot("tour-room-count"), Chart(SLOT)
            self._draw()

    def settle(self, right: str) -> None:
        """Tell the room which answer is right."""
        if self._chart is not None and self._act(lambda poll: poll.settle(right)):
            self._draw()

    @property
    def _poll(self) -> Poll | None:
        """What the room is asked, if it is this step’s question."""
        if self._room is None:
            return None
        with self._room.look() as experiment:
            return experiment if isinstance(experiment, Poll) and experiment.about == self._cover.step else None

    def _ask(self, question: Question) -> None:
        options = {option.key: option.text for option in question.options}
        if self._room is not None:
            self._room.begin(NAME, Poll(self._cover.step, question.text, options))

    def _act(self, doing: Callable[[Poll], News]) -> News:
        poll = self._poll
        if self._room is None or poll is None:
            return News.NOTHING
        return self._room.act(lambda now: doing(poll) if now is poll else News.NOTHING)

    def _say(self, place: Spot, poll: Poll) -> None:
        place.html(render("room.html", text=f"The room: {told(poll)}."))

    def _draw(self) -> None:
        poll = self._poll
        if poll is not None and self._said is not None and self._chart is not None:
            self._say(self._said, poll)
            self._chart.draw(answers(poll), f"How the room answered: {told(poll)}.")
