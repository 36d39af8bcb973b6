"""Sensible first choices for a table that somebody brings, each with its reason; a person may take any of them back."""

from privbo_core.data.first.propose import Proposal, propose, who_likely

__all__ = ["Proposal", "propose", "who_likely"]
