"""Problems: a finite set of points, an objective on them, and what the numbers mean to a person."""

from privbo_core.data.problem import Problem, normalise
from privbo_core.data.synthetic import SAMPLES, branin, sample, synthetic

__all__ = ["SAMPLES", "Problem", "branin", "normalise", "sample", "synthetic"]
