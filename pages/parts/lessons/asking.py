"""The question of a step: to whoever stands in front, or to the phones of the room."""

import time
from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.parts.classroom.games.poll import NAME, answers, counted
from pages.parts.classroom.rooms import GAMES, game_of, my_room
from pages.parts.lessons.choosing import Cover
from pages.parts.shell.undocumented import give_way
from pages.parts.system.lesson import HEIGHT, SLOT, Question, Scale
from pages.parts.views.drawing import Chart, Place, Slot, nothing_more
from pages.parts.views.picture import PRIVATE, RANDOM, Picture
from pages.parts.views.templates import render
from pages.parts.views.views import Figure, Finding
from privbo_core.classroom import News
from privbo_core.classroom.games.poll import Poll

TICK, LOOK = 0.25, 0.05  # seconds between two ticks of the room's clock, and between two looks


class Asking:
    """The teacher’s room, if there is one, and what it is asked of this step."""

    def __init__(self, cover: Cover) -> None:
        self._cover, self._room = cover, my_room()
        self._count: Slot | None = None
        self._chart: Chart | None = None
        if self._room is not None:
            self._room.tick()

    def offer(self, question: Question) -> None:
        if self._room is None:
            return
        if self._poll is None:
            playing, ask = game_of(self._room.kind), "Ask the room"
            if playing and playing in GAMES and self._room.answered:
                ask = f"End “{playing.title}” and ask the room"
            st.button(ask, key="tour-room-ask", icon=":material/groups:", on_click=self._ask, args=(question,))
            return
        label, icon = "Show the answers", ":material/visibility:"
        st.button(label, key="tour-room-show", icon=icon, on_click=self._cover.answer, args=("",))
        self._count = Slot("tour-room-count")

    def watch(self) -> None:
        if self._room is None or self._count is None:
            return
        drawn, ticked = -1, 0.0
        while (poll := self._poll) is not None and not poll.shown:
            now = time.monotonic()
            if now - ticked >= TICK:
                ticked = now
                self._room.tick()
            if self._room.version != drawn:
                drawn = self._room.version
                self._say(self._count, poll)
            time.sleep(LOOK)
            give_way()

    def show(self) -> None:
        if self._poll is not None:
            self._act(Poll.show)
            self._count, self._chart = Slot("tour-room-count"), Chart("tour-room")
            self._draw()

    def settle(self, right: str) -> None:
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

    def _say(self, place: Slot, poll: Poll) -> None:
        place.html(render("room.html", text=f"The room: {counted(poll)}."))

    def _draw(self) -> None:
        poll = self._poll
        if poll is not None and self._count is not None and self._chart is not None:
            self._say(self._count, poll)
            self._chart.draw(answers(poll), f"How the room answered: {counted(poll)}.")


SKIP = "Show me without guessing"
MINE = "That is my guess"
LATER = "Answer first; the picture comes then."
GUESS = "tour-guess"
_TOLD = "tour/told"


class Stage:
    """The places for a step: its sentence, the question below it, and its picture. ``plain``: as on a Simple page."""

    def __init__(self, cover: Cover, question: Question, *, plain: bool = False) -> None:
        self.cover, self._question, self._plain = cover, question, plain
        self._title = Slot(f"title-{SLOT}")
        self._form = st.container(key="tour-ask")
        with self._form:
            self._verdict = Slot()
        self._place = Place(SLOT, titled=False)
        self.room = Asking(cover)

    def ask(self) -> None:
        """Show the question and its options over the covered picture; the verdict on another question goes."""
        self._verdict.clear()
        self._title.html(render("question.html", text=self._question.text, plain=self._plain))
        with self._form:
            if scale := self._question.scale:
                st.slider("Drag to your guess", scale.low, scale.high, scale.start, key=GUESS)
                st.button(MINE, key="tour-answer-dragged", on_click=self._take, args=(scale,), type="primary")
            else:
                options = self._question.options
                for place, option in zip(st.columns(len(options)), options, strict=True):
                    key, take = f"tour-answer-{option.key}", partial(self.cover.answer, option.key)
                    place.button(option.text, key=key, on_click=take, type="primary", width="stretch")
            with st.container(horizontal=True, vertical_alignment="center"):
                self.room.offer(self._question)
                st.button(SKIP, key="tour-show", on_click=self.cover.answer, args=("",), type="tertiary")
        finding = Finding(self._question.text, "known", LATER)
        alt = "The picture is covered until the question is answered."
        self._place.draw(Figure(SLOT, finding, covered_picture(), alt))

    def _take(self, scale: Scale) -> None:
        self.cover.answer(scale.option(float(st.session_state.get(GUESS, scale.start))))

    def take(self) -> None:
        """Say at once that an answer is kept, and take its options off the page: the verdict may need many runs."""
        step, told = st.session_state.get(_TOLD, ("", ""))
        guess = self._question.text_of(self.cover.guess or "")
        if guess:
            self._verdict.html(told if step == self.cover.step else render("verdict.html", guess=guess, truth=""))
        else:
            self._verdict.clear()
        with self._form:
            nothing_more(3)

    def draw(self, figure: Figure, title: str) -> None:
        self._title.html(title)
        self._place.draw(figure)

    def judge(self, right: str) -> None:
        """Say what became of the guess; ``right``: the option that the picture shows, empty while it shows none."""
        guess = self._question.text_of(self.cover.guess or "")
        self.room.settle(right)
        if guess:
            told = render("verdict.html", guess=guess, truth=self._question.text_of(right))
            st.session_state[_TOLD] = (self.cover.step, told)
            self._verdict.html(told)


def covered_picture() -> Picture:
    picture = Picture(height=HEIGHT)
    picture.line([0, 1, 1, 0, 0], [0, 0, 1, 1, 0], RANDOM, dash="dot", width=1.5, hoverinfo="skip")
    picture.label(0.5, 0.55, "?", PRIVATE, xanchor="center", size=96)
    picture.label(0.5, 0.2, LATER, RANDOM, xanchor="center", size=16)
    for axis in ("xaxis", "yaxis"):
        picture.axis(axis, visible=False, range=[-0.02, 1.02], fixedrange=True)
    return picture
