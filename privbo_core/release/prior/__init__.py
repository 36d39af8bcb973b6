"""Pairs drawn from the prior that DP-BO assumes, and how often its sensitivity bounds hold for them."""

from privbo_core.release.prior.coverage import Coverage, coverage
from privbo_core.release.prior.pairs import sample_pair, two_task_roots
from privbo_core.release.prior.share import Look, Share

__all__ = ["Coverage", "Look", "Share", "coverage", "sample_pair", "two_task_roots"]
