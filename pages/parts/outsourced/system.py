"""The Outsourced system as the rest of the app knows it, and what it is for, as Start tells it."""

from pathlib import Path

from pages.parts.live.sliders import Controls
from pages.parts.outsourced.afford import AffordPage
from pages.parts.outsourced.attacks import AUDITED
from pages.parts.outsourced.lesson import LESSON
from pages.parts.outsourced.question import question
from pages.parts.outsourced.setup import Searching, case_of, sliders
from pages.parts.outsourced.view import View
from pages.parts.system.system import DELTA, Link, Story, System
from pages.parts.table.diagnostics import suited
from pages.parts.table.own_table import public_simulation
from pages.parts.views.text import strong
from privbo_core.outsourced import Mechanism
from privbo_core.privacy import TradeOff, gaussian_sigma

HERE = Path(__file__).parent
DATA = "hospital"  # What the short form is about.
MECHANISMS: tuple[Mechanism, ...] = ("noisy",)


def _cost(epsilon: float) -> str:
    """Return what privacy costs there, in tests: the page's own searches, which take less than a second."""
    simulation = public_simulation(DATA)
    start = {slider.key: slider.nearest(slider.value) for slider in sliders(simulation, MECHANISMS)}
    controls = Controls(start | {"epsilon": epsilon, "delta": DELTA})
    case = case_of(simulation, MECHANISMS, controls, Searching(suited(simulation.problem), once=True))
    *_, comparison = simulation.compare(case.setting, case.runs, MECHANISMS)
    return View(case, comparison).cost.text.lower()


STORY = Story(
    "A hospital lets somebody else choose whom to test",
    (
        "A test for early relapse is expensive, so only a few of thousands of patients can have it. A company knows "
        "how to choose them well, one after the other, by Bayesian optimisation. The hospital may not hand over the "
        "records.",
        f"So it hands over a {strong('random projection')} of them. The company never learns what a number means; it "
        "says “test number 4,711 next”, gets the result back, and chooses again. How good is a choice made "
        "half-blind? And does the projection really hide the patients?",
    ),
    HERE / "story.html",
    (
        Link(
            "pages/outsourced.py",
            "Drag ε and see: Outsourced, running on a sample",
            ":material/hub:",
            {"data": "hospital", "epsilon": "3", "r": "10"},
        ),
        Link(
            "pages/audit.py",
            "Does it hide them? Audit",
            ":material/fact_check:",
            {"audited": "projection", "data": "hospital", "epsilon": "3", "r": "10"},
        ),
    ),
    drawing=HERE / "start.html",
    protected="small differences in a record, not the person, from the company",
    shown=Link(
        "pages/outsourced.py",
        "Show me the hospital",
        ":material/hub:",
        {"view": "simple", "data": DATA, "delta": f"{DELTA:g}"},
    ),
    line=lambda epsilon: TradeOff.gaussian(1 / gaussian_sigma(epsilon, DELTA, 1.0)),
    cost=_cost,
)

OUTSOURCED = System(
    name="Outsourced",
    page="pages/outsourced.py",
    icon=":material/hub:",
    story=STORY,
    audited=AUDITED,
    question=question,
    afford=AffordPage,
    neighbours="a record that moves a little",
    paper="σ_min and ω",
    lesson=LESSON,
    bound=("details",),
)
