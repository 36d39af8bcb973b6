"""The Simple page of Audit: one mechanism, one attack, and what it got."""

from dataclasses import replace

from pages.parts.audit.plain import figure
from pages.parts.audit.plain.choices import Choice, pick
from pages.parts.audit.plain.words import QUESTION, Words
from pages.parts.bring.problems import own_recipe, pick_problem
from pages.parts.controls.live_sliders import Slider
from pages.parts.frame.depth import offer_expert
from pages.parts.frame.live import follow
from pages.parts.outsourced.rebuild import RebuiltView
from pages.parts.show.meaning import show_meaning
from pages.parts.show.sheet import Sheet, plain
from pages.parts.system.attack import Scene
from pages.parts.system.trials import TITLE, TrialView
from pages.parts.take_away.offer import about_problem, take_away
from pages.parts.take_away.report import About
from pages.parts.values.views import View


def run() -> None:
    """Draw the page."""
    sheet = Sheet(figure.SLOT, picture=False)
    with sheet.picker:
        choice = pick()
        simulation = pick_problem("hospital") if choice.attacked.data else None
    attack = choice.attacked
    scene = Scene(sheet.read(choice.which, [_plain(slider) for slider in attack.sliders], [choice.slider]), simulation)
    words = Words(choice, scene)
    sheet.open(QUESTION, words.story)

    def draw(view: View) -> None:
        if isinstance(view, RebuiltView):
            brief = words.of_rebuilt(view.rebuilt)
            drawn = figure.of_rebuilt(view.rebuilt, words.told, brief)
        else:
            assert isinstance(view, TrialView)
            brief = words.of_trials(view)
            drawn = figure.of_trials(view, brief)
        sheet.say(brief)
        sheet.place.draw(drawn)

    if enough := choice.attack != "rebuild" or scene.problem.n > scene.problem.d + 1:
        views = attack.run(scene)
        draw(next(views))
    else:
        sheet.say(words.too_few)
    sheet.close_panel()
    with sheet.rest:
        take_away(about(choice, scene), (lambda: attack.script(scene, own_recipe())) if enough else None)
        show_meaning(*attack.claim(scene))
        offer_expert("All attacks, and how they work: Expert", **{f"attack-{choice.key}": choice.attack})
    if enough:
        follow(views, draw)


def about(choice: Choice, scene: Scene) -> About:
    """Return what the report is about."""
    choices = ("Mechanism", choice.name), ("Attack", choice.attacked.name)
    if scene.simulation:
        return about_problem(TITLE, scene.problem, *choices)
    return About(TITLE, choice.mechanism.data, choices=choices)


def _plain(slider: Slider) -> Slider:
    """Return a slider as it stands on a Simple page; z is the noise there."""
    return replace(plain(slider), label="Noise that the server adds: z") if slider.key == "z" else plain(slider)
