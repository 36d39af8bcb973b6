"""The question of a step, its cover, and what became of the guess."""

from functools import partial

import streamlit as st

from pages.parts.lessons.choosing import Cover
from pages.parts.system.lesson import HEIGHT, SLOT, Question, Scale
from pages.parts.views.drawing import Place, Slot, nothing_more
from pages.parts.views.picture import PRIVATE, RANDOM, Picture
from pages.parts.views.templates import render
from pages.parts.views.views import Figure, Finding

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
