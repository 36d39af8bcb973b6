"""Searches on the samples at the Outsourced page's settings, computed apart from the page."""

from functools import cache

import privbo_core as pb
from privbo_core.outsourced import Setting, Simulation
from tests.helpers.opening import open_page

FEW = {"T": "12", "runs": "10"}
MECHANISMS = {"projection": ("private",), "noisy": ("noisy",), "both": ("private", "noisy")}
NAMES = {"private": "projection", "noisy": "noisy release", "plain": "non-private", "noiseless": "non-private"}
"""What the curves are called, besides that of random search."""


def open_few(state=None, **query):
    """Open the page with few evaluations and runs."""
    return open_page("outsourced", state, **FEW | query)


@cache
def simulation(name):
    return Simulation(pb.data.sample(name))


@cache
def searched(name="synthetic", release="projection", runs=10, **setting):
    """Return all runs at these settings."""
    how = {"epsilon": 3.0, "delta": 1e-5, "r": 10, "iterations": 12, "once": True}
    how["search"] = pb.data.suited_search(pb.data.sample(name))
    *_, found = simulation(name).compare(Setting(**how | setting), runs, MECHANISMS[release])
    return found
