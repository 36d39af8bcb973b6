"""What outsourced optimisation is for, as Start tells it."""

from pages.parts.system.system import Link, Story
from pages.parts.values.text import strong
from privbo_core.privacy import TradeOff, gaussian_sigma

EPSILON, DELTA = 1.0, 1e-5
"""Where the short form begins."""
STORY = Story(
    "A hospital lets somebody else choose whom to test",
    (
        "A test for early relapse is expensive, so only a few of thousands of patients can have it. A company knows how to "
        "choose them well, one after the other, by Bayesian optimisation. The hospital may not hand over the records.",
        f"So it hands over a {strong('random projection')} of them. The company never learns what a number means; it says "
        "“test number 4,711 next”, gets the result back, and chooses again. How good is a choice made half-blind? And does "
        "the projection really hide the patients?",
    ),
    "story_outsourced.html",
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
    question="What does it cost to blur every record first?",
    drawing="start_outsourced.html",
    protected="small differences in a record, not the person, from the company",
    shown=Link(
        "pages/outsourced.py",
        "Show me the hospital",
        ":material/hub:",
        {"view": "simple", "data": "hospital", "epsilon": f"{EPSILON:g}", "delta": f"{DELTA:g}"},
    ),
    line=lambda: TradeOff.gaussian(1 / gaussian_sigma(EPSILON, DELTA, 1.0)),
)
