"""The question of a step on the page: its options, the cover over its picture, and what became of a guess."""

import streamlit as st

from pages.parts.frame.spot import Spot, nothing_more
from pages.parts.show.show import Place
from pages.parts.show.templates import render
from pages.parts.tour.cover import Cover
from pages.parts.tour.lesson import HEIGHT, SLOT, Question, Scale
from pages.parts.tour.room import Asking
from pages.parts.values.palette import PRIVATE, RANDOM
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding

SKIP = "Show me without guessing"
MINE = "That is my guess"
GUESS = "tour-guess"
_TOLD = "tour/told"


class Stage:
    """The places for a step: its sentence, the question below it, and its picture. ``plain``: as on a Simple page."""

    def __init__(self, cover: Cover, question: Question, *, plain: bool = False) -> None:
        self.cover, self._question, self._plain = cover, question, plain
        self._title = Spot(f"title-{SLOT}")
        self._asked = st.container(key="tour-ask")
        with self._asked:
            self._verdict = Spot()
        self._place = Place(SLOT, titled=False)
        self._room = Asking(cover)

    @property
    def covered(self) -> bool:
        """Whether the picture is not to be shown yet."""
        return self.cover.guess is None

    def ask(self) -> None:
        """Show the question and its options over the covered picture; the verdict on another question goes."""
        self._verdict.clear()
        self._title.html(render("question.html", text=self._question.text, plain=self._plain))
        with self._asked:
            if self._question.scale is not None:
                self._drag(self._question.scale)
            else:
                self._tap()
            with st.container(horizontal=True, vertical_alignment="center"):
                self._room.offer(self._question)
                st.button(SKIP, key="tour-show", on_click=self.cover.answer, args=("",), type="tertiary")
        finding = Finding(self._question.text, "known", "Answer first; the picture comes then.")
        self._place.draw(
            Figure(SLOT, finding, covered_picture(), "The picture is covered until the question is answered.")
        )

    def _tap(self) -> None:
        for place, option in zip(st.columns(len(self._question.options)), self._question.options, strict=True):
            place.button(
                option.text, key=f"tour-answer-{option.key}", on_click=self.cover.answer, args=(option.key,),
                type="primary", width="stretch",
            )  # fmt: skip

    def _drag(self, scale: Scale) -> None:
        st.slider("Drag to your guess", scale.low, scale.high, scale.start, key=GUESS)
        st.button(MINE, key="tour-answer-dragged", on_click=self._take, args=(scale,), type="primary")

    def _take(self, scale: Scale) -> None:
        guess = st.session_state.get(GUESS, scale.start)
        self.cover.answer(scale.option(float(guess)))

    def wait(self) -> None:
        """While the room is asked, say how many have answered. The last thing that a page does."""
        self._room.watch()

    def take(self) -> None:
        """Say at once that an answer is kept, and take its options off the page: the verdict may need many runs."""
        step, told = st.session_state.get(_TOLD, ("", ""))
        guess = self._question.said(self.cover.guess or "")
        if not guess:
            self._verdict.clear()
        else:
            self._verdict.html(told if step == self.cover.step else render("verdict.html", guess=guess, truth=""))
        with self._asked:
            nothing_more(3)

    def show_room(self) -> None:
        """Draw below the picture what the room said, if it was asked."""
        self._room.show()

    def draw(self, figure: Figure, title: str) -> None:
        """Show the picture with its sentence; ``title``: that sentence as it is drawn."""
        self._title.html(title)
        self._place.draw(figure)

    def judge(self, right: str) -> None:
        """Say what became of the guess; ``right``: the option that the picture shows, empty while it shows none."""
        guess = self._question.said(self.cover.guess or "")
        self._room.settle(right)
        if guess:
            told = render("verdict.html", guess=guess, truth=self._question.said(right))
            st.session_state[_TOLD] = (self.cover.step, told)
            self._verdict.html(told)


def covered_picture() -> Picture:
    """Draw the cover: a question mark in a frame, as tall as the picture that it stands for."""
    picture = Picture(height=HEIGHT)
    picture.line([0, 1, 1, 0, 0], [0, 0, 1, 1, 0], RANDOM, dash="dot", width=1.5, hoverinfo="skip")
    picture.label(0.5, 0.55, "?", PRIVATE, xanchor="center", font={"color": PRIVATE, "size": 96})
    picture.label(
        0.5, 0.2, "Answer first; the picture comes then.", RANDOM, xanchor="center", font={"color": RANDOM, "size": 16}
    )
    for axis in ("xaxis", "yaxis"):
        picture.axis(axis, visible=False, range=[-0.02, 1.02], fixedrange=True)
    return picture
