"""All experiments, by name, in the papers' order."""

from collections.abc import Mapping

from privbo_core.experiments.model import Experiment
from privbo_core.experiments.papers import (
    bounds,
    federated_appendix,
    federated_figures,
    outsourced_figures,
    outsourced_made_up,
    outsourced_tables,
)


def _all() -> tuple[Experiment, ...]:
    return (
        *(outsourced_tables.table(number) for number in outsourced_tables.PRINTED),
        *(outsourced_figures.figure(part) for part in outsourced_figures.PRINTED),
        outsourced_figures.branin(),
        *outsourced_made_up.experiments(),
        federated_figures.figure_2a(),
        federated_figures.figure_2b(),
        federated_figures.figure_2c(),
        federated_figures.figure_2d(),
        federated_figures.figure_3(),
        *federated_appendix.experiments(),
        *bounds.experiments(),
    )


EXPERIMENTS: Mapping[str, Experiment] = {each.name: each for each in _all()}
"""Every table and figure that can be run again."""


def find(name: str) -> Experiment:
    """Return the experiment of that name. Raises ValueError, listing the names, for an unknown one."""
    if name not in EXPERIMENTS:
        raise ValueError(f"there is no experiment {name!r}; the experiments are {', '.join(EXPERIMENTS)}.")
    return EXPERIMENTS[name]
