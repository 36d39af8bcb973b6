"""The Tour: a lesson and its steps on the left, the question and then the figure of one of them on the right."""

from dataclasses import replace

from pages.parts.lessons import choosing
from pages.parts.lessons.asking import Stage
from pages.parts.lessons.kits import kit_of, offer_kit
from pages.parts.live.desk import Desk, plain
from pages.parts.live.work import Live
from pages.parts.shell.depth import simple
from pages.parts.shell.undocumented import give_way
from pages.parts.system.lesson import Seen, Situation
from pages.parts.views.drawing import Slot, note
from pages.parts.views.templates import render
from pages.parts.views.text import slanted, spelt
from pages.parts.views.views import Brief, View


def run() -> None:
    named, short = choosing.arriving(), simple()
    desk = Desk(f"Tour in {spelt(len(choosing.lessons()))} lessons")
    with desk.left:
        lesson = choosing.choose_lesson()
        offer_kit(kit_of(lesson))
        if short and lesson.short:
            lesson = lesson.short
        data, about = lesson.pick()
        number = choosing.choose_step(lesson.name, lesson.wording.names)
    step, which = lesson.steps[number - 1], f"tour/{lesson.file}/{data}/{number}"
    name = lesson.wording.names[number - 1]
    sliders = step.sliders(about)
    if short:
        sliders = [replace(plain(slider), value=slider.value) for slider in sliders[:1]]
    choosing.leave_other_steps(lesson.panel or which, [slider.key for slider in sliders])
    cover = choosing.cover_of(f"{lesson.file}/{name}", named, [slider.key for slider in sliders])
    controls = desk.read(lesson.panel or (f"{which}/simple" if short else which), sliders)
    for slider in step.sliders(about):
        controls.values.setdefault(slider.key, slider.nearest(slider.value))
    live = Live(which, which, held=controls.dragging)
    at = lesson.stand(Situation(about, controls, live.put_axis, give_way))
    values = lesson.values(at)
    views, question = step.run(at), lesson.question(number - 1, values)

    def draw(view: View) -> None:
        (figure,) = view.figures
        title = Brief(figure.finding.title, (), audience=figure.finding.audience)
        long = render("finding.html", finding=figure.finding, stamped=False)
        stage.draw(figure, render("brief.html", brief=title) if short else long)

    if cover.guess is None:
        with desk.first:
            stage = Stage(cover, question, plain=short)
            stage.ask()
    else:
        with desk.at_once():
            stage = Stage(cover, question, plain=short)
            stage.take()
            first = next(views)
            draw(first)
        with desk.right:
            if step.facts:
                facts = Slot()
                facts.html(render("facts.html", brief=step.facts(at)))
    with desk.right:
        choosing.show_moves("step", number, len(lesson.steps))
        if not step.facts:
            present = f"{slanted('Present')}, at the top, fills the screen with the figure."
            note(f"Arrow keys move from step to step. {present}", keys=True)
            note(lesson.wording.note(values))
    if cover.guess is None:
        return
    last = live.follow(views, draw) or first
    stage.judge(last.right if isinstance(last, Seen) else "")
    if step.facts:
        facts.html(render("facts.html", brief=step.facts(lesson.rest(at))))
