"""A table of scores from any tuning tool, and its best setting published privately."""

from privbo_core.tuning.published import Published, publish
from privbo_core.tuning.read import read_scores
from privbo_core.tuning.scores import Kind, Scores, Setting

__all__ = ["Kind", "Published", "Scores", "Setting", "publish", "read_scores"]
