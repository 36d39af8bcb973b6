"""The papers' tables and figures as data: what is run, what is printed, what is claimed."""

from privbo_core.experiments.papers.catalogue import EXPERIMENTS, find

__all__ = ["EXPERIMENTS", "find"]
