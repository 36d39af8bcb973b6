"""The stored results of the papers' experiments, as reports; and the reports before anything is computed."""

from privbo_core import experiments
from privbo_core.experiments import EXPERIMENTS
from tests.helpers.paths import RESULTS

STORED = RESULTS / "reproduced.jsonl"
OUTCOMES, MADE = experiments.read(STORED)
REPORTS = {name: experiments.report(each, OUTCOMES.values()) for name, each in EXPERIMENTS.items()}
NOTHING = {name: experiments.report(each, ()) for name, each in EXPERIMENTS.items()}
