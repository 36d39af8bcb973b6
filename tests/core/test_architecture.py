"""The direction of imports, and what the engine must not know."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "privbo_core"
FLOORS = [
    "errors",
    "gp",
    "data",
    "bo",
    "privacy",
    "outsourced",
    "release",
    "federated",
    "tradeoff",
    "audit",
    "experiments",
]
"""From the ground up: a package uses only those before it in this list."""
SYSTEMS = {"outsourced", "release", "federated"}
"""The published systems, which do not know each other."""


def imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
            if node.module == "privbo_core":
                yield from (f"privbo_core.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_imports_go_downwards_only():
    for path in ENGINE.rglob("*.py"):
        here = path.relative_to(ENGINE).parts[0].removesuffix(".py")
        if here == "__init__":
            continue
        assert here in FLOORS, f"{here} is new: give it a place in FLOORS"
        for module in imported(path):
            if module.startswith("privbo_core."):
                floor = module.split(".")[1]
                if floor in FLOORS and floor != here:
                    assert FLOORS.index(floor) < FLOORS.index(here), f"{path.name} imports {module}"
                    assert not {here, floor} <= SYSTEMS, f"{path.name} imports {module}"


def test_the_engine_does_not_know_the_screen():
    for path in ENGINE.rglob("*.py"):
        for module in imported(path):
            assert module.split(".")[0] not in {"streamlit", "plotly", "pages"}, path
