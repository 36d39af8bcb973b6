"""From a study's file to an experiment: what is compared on what, at which ε, in how many runs."""

import re
from dataclasses import replace
from pathlib import Path

from privbo_core.errors import DataError
from privbo_core.experiments.model import Experiment, Kind
from privbo_core.experiments.papers import EXPERIMENTS
from privbo_core.experiments.studies.federated import federated_arms
from privbo_core.experiments.studies.keys import Keys, read_toml
from privbo_core.experiments.studies.outsourced import Comparing, audited_arms, searched_arms
from privbo_core.experiments.studies.published import released_arms

KINDS: dict[str, Kind] = {"regret": "curves", "trade-off": "trade-off", "audit": "audit"}
"""The kinds of studies, and what their pictures are."""
PAPER = "A study of your own"
MOST_ARMS = 200
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def read_study(path: str | Path) -> Experiment:
    """Return the experiment that a study's file describes; docs/studies.md says what can stand in it.

    A table is read, and its length-scales are learned, here and once; paths in the file start at its own folder.
    Raises DataError, one sentence that names the key, for anything that is not such a study.
    """
    keys, path = read_toml(path), Path(path)
    name = keys.text("name", re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-") or "study")
    if not NAME.fullmatch(name):
        raise DataError(f"'name' is {name!r}; it may hold small letters, digits and hyphens, at most 40.")
    if name in EXPERIMENTS or name == "all":
        raise DataError(f"'name' is {name!r}, which is the name of a paper's experiment; choose another.")
    kind = keys.choice("kind", list(KINDS))
    title = keys.text("title", name)
    audit = kind == "audit"
    runs = keys.whole("runs", 1000 if audit else 30, low=10 if audit else 2, high=20_000 if audit else 2000)
    seed = keys.whole("seed", 1, low=0, high=10**9)
    problem, search, privacy = (keys.section(part) for part in ("problem", "search", "privacy"))
    keys.done()
    made = _compared(kind, (problem, search, privacy), seed, path.parent)
    for part in (problem, search, privacy):
        part.done()
    if len(made.arms) > MOST_ARMS:
        raise DataError(
            f"The study compares {len(made.arms)} settings; at most {MOST_ARMS} can be. Give fewer ε or mechanisms."
        )
    return replace(
        made, name=name, title=title, runs=runs, kind=KINDS[kind], piece=500 if audit else 5,
        unit="trials on each dataset" if audit else made.unit,
    )  # fmt: skip


def _compared(kind: str, sections: tuple[Keys, Keys, Keys], seed: int, folder: Path) -> Experiment:
    problem = sections[0]
    given = [key for key in ("sample", "table", "tuning", "agents") if problem.has(key)]
    if len(given) != 1:
        raise DataError(
            "[problem] must have exactly one of 'sample', 'table', 'tuning' and 'agents': it says what is studied."
        )
    if given[0] in ("tuning", "agents"):
        if kind == "audit":
            raise DataError(f"'kind' is 'audit', which needs a 'sample' or a 'table' in [problem], not {given[0]!r}.")
        if given[0] == "tuning":
            if kind == "regret":
                raise DataError("'kind' is 'regret', but a release has no curve; write \"trade-off\" for 'tuning'.")
            return released_arms(sections, seed, PAPER)
        return federated_arms(sections, PAPER, curves=kind == "regret")
    comparing = Comparing(sections, seed, folder, PAPER)
    return audited_arms(comparing) if kind == "audit" else searched_arms(comparing, curves=kind == "regret")
