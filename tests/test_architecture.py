"""The direction of imports, what the engine must not know, and how much fits into a file and a signature."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from pages.parts.systems import SYSTEMS
from tests.helpers.paths import ROOT

ENGINE, SCREEN = ROOT / "privbo_core", ROOT / "pages"
NAMES = {system.name.lower() for system in SYSTEMS}
"""The published systems, which do not know each other: a room of the screen each, and a package of the engine."""
FLOORS = (
    "about < terminal < errors < budget < gp < data < bo < privacy < SYSTEMS < "
    "diagnostics < tradeoff < sklearn < optuna < audit < experiments < "
    "promises"
)
"""The engine’s packages from the ground up: one uses only those on lower floors."""
ROOMS = (
    "views < shell < live < export < table < system < SYSTEMS < systems < "
    "start data lessons reproduce audit tradeoff < front_door"
)
"""The screen’s rooms from the ground up: one uses only those on lower floors, and none on its own."""
WRITES_HTML = {"views/text.py", "views/templates.py"}
"""The only modules that may hold an element of HTML; the elements themselves stand in views/html."""
TRUSTS_HTML = WRITES_HTML | {"export/offer.py"}
"""The only modules that may declare text to be HTML: what they escaped themselves, and files of the app's own."""
PAGE_LINES, PAGE_NAMES = 120, 12
MOST_BYTES, MOST_PARAMETERS = 20_000, 7
LONGER_SIGNATURES = {
    # Their signature is documented, and each of its parameters is a letter of the algorithm.
    "privbo_core/bo/policies.py": {"gp_ucb", "gp_ucb_runs"},
    # Each is a fact about the scores that the table itself does not hold.
    "privbo_core/data/tuning.py": {"task_from_table"},
    "privbo_core/release/tables.py": {"read_scores"},
    # The interface of scikit-learn's searches: each is a parameter of get_params.
    "privbo_core/sklearn/search.py": {"__init__"},
}
"""The functions that may have more parameters, by file, with the reason."""
IMPORTS, FUNCTIONS = (ast.Import, ast.ImportFrom), (ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def parsed(root):
    return {path: ast.parse(path.read_text()) for path in sorted(root.rglob("*.py"))}


def found(tree, kinds):
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def imported(tree):
    for node in found(tree, ast.ImportFrom):
        yield node.module or ""
        if node.module in ("privbo_core", "pages.parts"):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
    for node in found(tree, ast.Import):
        yield from (alias.name for alias in node.names)


def floors(plan, systems):
    """Return on which floor each name of a plan is, from the ground up."""
    named = [systems if floor == "SYSTEMS" else floor.split() for floor in plan.split(" < ")]
    return {name: number for number, floor in enumerate(named) for name in floor}


def upwards(tree, here, within, known):
    """Yield what a module of the floor ``here`` imports from another one that is not below it."""
    for module in imported(tree):
        if module.startswith(f"{within}."):
            other = module.split(".")[within.count(".") + 1]
            if other != here and known.get(other, -1) >= known.get(here, len(known)):
                yield module


def test_the_engine_s_imports_go_downwards_only_and_never_to_the_screen():
    known = floors(FLOORS, NAMES)
    for path, tree in parsed(ENGINE).items():
        here = path.relative_to(ENGINE).parts[0].removesuffix(".py")
        assert not {module.split(".")[0] for module in imported(tree)} & {"streamlit", "plotly", "pages"}, path
        assert here in {"__init__", *known}, path
        assert [*upwards(tree, here, "privbo_core", known)] == [], path


def test_the_screen_s_rooms_use_those_below_them_only_and_import_at_the_top():
    known = floors(ROOMS, NAMES)
    for path, tree in parsed(SCREEN).items():
        parts = path.relative_to(SCREEN).parts
        here = parts[1].removesuffix(".py") if parts[0] == "parts" else ""
        assert not here or here in known, path
        assert [*upwards(tree, here, "pages.parts", known)] == [], path
        assert not [node for function in found(tree, FUNCTIONS) for node in found(function, IMPORTS)], path


@pytest.mark.parametrize(
    ("plan", "within", "sound", "unsound"),
    [
        (ROOMS, "pages.parts", ("system.system", "views.text"), ("release.view", "systems", "audit.page")),
        (FLOORS, "privbo_core", ("privacy.accounting", "gp"), ("release.draw", "federated.server", "tradeoff")),
    ],
)
def test_an_import_upwards_or_of_another_system_would_be_found(plan, within, sound, unsound):
    tree = ast.parse("".join(f"import {within}.{module}\n" for module in (*sound, *unsound)))
    found = [*upwards(tree, "outsourced", within, floors(plan, NAMES))]
    assert found == [f"{within}.{module}" for module in unsound]


def test_html_is_written_in_templates_only():
    for path, tree in parsed(SCREEN).items():
        name = path.relative_to(SCREEN / "parts").as_posix() if "parts" in path.parts else path.name
        texts = [node.value for node in found(tree, ast.Constant) if isinstance(node.value, str)]
        html = [text[:80] for text in texts if re.search(r"</?[a-z][a-z0-9]*[\s/>]", text)]
        assert not html or name in WRITES_HTML, f"{path.relative_to(ROOT)} holds HTML: {html}"
        trusted = [call for call in found(tree, ast.Call) if getattr(call.func, "id", "") == "Markup"]
        assert not trusted or name in TRUSTS_HTML, f"{path.relative_to(ROOT)} declares text to be HTML"


def test_a_page_reads_top_to_bottom():
    thin = list(SCREEN.glob("*.py"))
    rooms = {module for path in thin for module in imported(parsed(SCREEN)[path]) if not module.endswith("front_door")}
    assert len(rooms) == len(thin)
    pages = [*thin, *((ROOT / Path(*room.split("."))).with_suffix(".py") for room in rooms)]
    for path in pages:
        source = path.read_text()
        names = [name for node in ast.parse(source).body for name in defined(node)]
        assert len(source.splitlines()) <= PAGE_LINES, path
        assert len(names) <= PAGE_NAMES, f"{path}: {names}"


def defined(node):
    """Return the names that a statement at a module's top level defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = getattr(node, "targets", [node.target] if isinstance(node, ast.AnnAssign) else [])
    return [name.id for target in targets for name in found(target, ast.Name)]


def packages_around(name):
    parts = name.split(".")
    return {".".join(parts[:count]) for count in range(1, len(parts))}


def uses_at_load(here, tree, modules):
    """Return those of ``modules`` that this one imports as it is loaded; what only a type checker reads is not.

    ``from package import name`` uses the module ``package.name`` if there is one, and ``package`` itself otherwise.
    Importing a module also runs the packages around it. Those around the importer are being loaded already.
    """
    used, waiting = set(), list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{here}: import by the full name"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            used |= inner & modules
            used |= {node.module} if inner - modules else set()
        elif isinstance(node, ast.Import):
            used |= {alias.name for alias in node.names}
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif not isinstance(node, FUNCTIONS):
            waiting += ast.iter_child_nodes(node)
    around = set().union(*map(packages_around, used)) - packages_around(here)
    return (used | around) & modules - {here}


def test_modules_do_not_import_each_other_in_circles():
    paths = {path: tree for root in (ENGINE, SCREEN) for path, tree in parsed(root).items()}
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths}
    trees = {names[path].removesuffix(".__init__"): tree for path, tree in paths.items()}
    graph = {name: uses_at_load(name, tree, set(trees)) for name, tree in trees.items()}
    assert any(graph.values())
    TopologicalSorter(graph).prepare()


def long_signatures(tree):
    """Yield the names of functions with more than seven parameters; self is none, ``**options`` is one."""
    for node in found(tree, FUNCTIONS):
        given = node.args
        named = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        gathered = [one for one in (given.vararg, given.kwarg) if one]
        if len(named) - (named[:1] in (["self"], ["cls"])) + len(gathered) > MOST_PARAMETERS:
            yield node.name


def test_a_file_is_read_in_one_sitting_and_a_function_takes_seven_parameters_at_most():
    trees = {path: tree for root in (ENGINE, SCREEN, ROOT / "tests") for path, tree in parsed(root).items()}
    assert [path for path in trees if path.stat().st_size > MOST_BYTES] == []
    long = {path.relative_to(ROOT).as_posix(): set(long_signatures(tree)) for path, tree in trees.items()}
    assert {name: functions for name, functions in long.items() if functions} == LONGER_SIGNATURES
