"""Three rules: the engine never imports the screen, a page imports the kit, figures and the engine, and no circles."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter

from tests.helpers.paths import ROOT

ENGINE, SCREEN = ROOT / "privbo_core", ROOT / "pages"
SYSTEMS = ("outsourced", "release", "federated")
"""The published systems, whose packages of the engine don't import each other."""
FLOORS = (
    "about < early < terminal < errors < budget < files < records < gp < data < bo < privacy < SYSTEMS < "
    "diagnostics < tradeoff < deployment < sklearn < optuna < audit < experiments < "
    "promises"
)
"""The engine's packages from the ground up. Each imports only those before it."""
MAY_IMPORT = {
    "page": ("pages", "pages.ui", "pages.figures", "privbo_core"),
    "ui": ("pages.ui", "privbo_core"),
    "figures": ("pages.ui", "pages.figures", "privbo_core"),
}
"""What each kind of module of the screen imports of this repository."""
EXCEPTIONS: dict[str, set[str]] = {}
"""What may be imported besides, by file."""
NO_STREAMLIT = ("pages/ui/figure.py", "pages/ui/numbers.py", "pages/ui/text.py", "pages/figures")
_WRITERS = ("ui/brief.py", "ui/cards.py", "ui/fact_cards.py", "ui/figure.py", "ui/layout.py", "ui/text.py")
WRITES_HTML = {f"pages/{name}" for name in _WRITERS}
"""The only modules that hold elements of HTML. What they show of a visitor's is escaped there."""
MAX_BYTES, MAX_PAGE_BYTES, MAX_PARAMETERS, MAX_FUNCTION_LINES = 20_000, 46_000, 7, 60
LONGER_SIGNATURES = {
    # Their signature is documented, and each of its parameters is a letter of the algorithm.
    "privbo_core/bo/policies.py": {"gp_ucb", "gp_ucb_runs"},
    # Each is a fact about the scores that the table itself does not hold.
    "privbo_core/data/tuning.py": {"task_from_table"},
    "privbo_core/release/score_tables.py": {"read_scores"},
    # The interface of scikit-learn's searches: each is a parameter of get_params.
    "privbo_core/sklearn/search.py": {"__init__"},
}
"""The functions that may have more parameters, by file, with the reason."""
IMPORTS, FUNCTIONS = (ast.Import, ast.ImportFrom), (ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def parsed(root):
    return {path: ast.parse(path.read_text()) for path in sorted(root.rglob("*.py"))}


def found_nodes(tree, kinds):
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def imported(tree):
    for node in found_nodes(tree, ast.ImportFrom):
        yield node.module or ""
        if node.module == "privbo_core":
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
    for node in found_nodes(tree, ast.Import):
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


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def test_the_engine_imports_downwards_and_never_the_screen():
    known = floors(FLOORS, SYSTEMS)
    for path, tree in parsed(ENGINE).items():
        here = path.relative_to(ENGINE).parts[0].removesuffix(".py")
        assert not {module.split(".")[0] for module in imported(tree)} & {"streamlit", "plotly", "pages"}, path
        assert here in {"__init__", *known}, path
        assert [*upwards(tree, here, "privbo_core", known)] == [], path


def test_an_import_upwards_or_of_another_system_would_be_found():
    sound, unsound = ("privacy.accounting", "gp"), ("release.draw", "federated.server", "tradeoff")
    tree = ast.parse("".join(f"import privbo_core.{module}\n" for module in (*sound, *unsound)))
    found = [*upwards(tree, "outsourced", "privbo_core", floors(FLOORS, SYSTEMS))]
    assert found == [f"privbo_core.{module}" for module in unsound]


def modules_of_the_screen():
    """Return the modules of the screen with their kinds: pages, the kit, and figures."""
    kinds = {}
    for path in parsed(SCREEN):
        place = path.relative_to(SCREEN).parts
        if place[0] in ("ui", "figures"):
            kinds[path] = place[0]
        elif len(place) == 1:
            kinds[path] = "page"
    return kinds


def of_the_screen(tree):
    """Return the modules of this repository that a module imports, with those that it takes out of packages."""
    found = set(imported(tree))
    for node in found_nodes(tree, ast.ImportFrom):
        if node.module in ("pages", "pages.ui", "pages.figures"):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {module for module in found if module.split(".")[0] in ("pages", "privbo_core")}


def foreign(tree, kind):
    """Return what a module imports that one of its kind doesn't."""
    may = MAY_IMPORT[kind]
    return {
        module
        for module in of_the_screen(tree)
        if module not in may and not any(module.startswith(f"{each}.") for each in may if each != "pages")
    }


def test_a_page_imports_the_kit_figures_and_the_engine():
    kinds = modules_of_the_screen()
    assert {*kinds.values()} == {*MAY_IMPORT}
    found = {name_of(path): foreign(parsed(SCREEN)[path], kind) for path, kind in kinds.items()}
    assert {path: modules for path, modules in found.items() if modules} == EXCEPTIONS


def test_an_import_of_another_page_would_be_found():
    tree = ast.parse("from pages import ui, start\nfrom pages.figures import a\nimport pages.tour\nimport numpy")
    assert foreign(tree, "page") == {"pages.start", "pages.tour"}
    assert foreign(ast.parse("from pages.figures import outsourced"), "ui") == {
        "pages.figures",
        "pages.figures.outsourced",
    }


def test_figures_texts_and_numbers_know_nothing_of_streamlit():
    for path, tree in parsed(SCREEN).items():
        if name_of(path).startswith(NO_STREAMLIT):
            assert not {module.split(".")[0] for module in imported(tree)} & {"streamlit", "plotly"}, path


def test_pages_import_at_the_top():
    for path, tree in parsed(SCREEN).items():
        functions = found_nodes(tree, FUNCTIONS)
        assert not [node for function in functions for node in found_nodes(function, IMPORTS)], path


def test_html_is_written_in_few_modules():
    for path, tree in parsed(SCREEN).items():
        texts = [node.value for node in found_nodes(tree, ast.Constant) if isinstance(node.value, str)]
        html = [text[:80] for text in texts if re.search(r"(?<!\?P)</?[a-z][a-z0-9]*[\s/>]", text)]
        assert not html or name_of(path) in WRITES_HTML, f"{name_of(path)} holds HTML: {html}"


def test_a_function_of_a_page_fits_on_a_screen():
    for path in modules_of_the_screen():
        for function in found_nodes(parsed(SCREEN)[path], FUNCTIONS):
            lines = function.end_lineno - function.lineno + 1
            assert lines <= MAX_FUNCTION_LINES, f"{name_of(path)}: {function.name} has {lines} lines"


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


def test_no_modules_import_each_other_in_circles():
    paths = {path: tree for root in (ENGINE, SCREEN) for path, tree in parsed(root).items()}
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths}
    trees = {names[path].removesuffix(".__init__"): tree for path, tree in paths.items()}
    graph = {name: uses_at_load(name, tree, set(trees)) for name, tree in trees.items()}
    assert any(graph.values())
    TopologicalSorter(graph).prepare()


def long_signatures(tree):
    """Yield the names of functions with more than seven parameters; self is none, ``**options`` is one."""
    for node in found_nodes(tree, FUNCTIONS):
        given = node.args
        named = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        gathered = [one for one in (given.vararg, given.kwarg) if one]
        if len(named) - (named[:1] in (["self"], ["cls"])) + len(gathered) > MAX_PARAMETERS:
            yield node.name


def test_files_and_signatures_are_short():
    trees = {path: tree for root in (ENGINE, SCREEN, ROOT / "tests") for path, tree in parsed(root).items()}
    pages = {path for path, kind in modules_of_the_screen().items() if kind == "page"}
    sizes = {path: path.stat().st_size for path in trees}
    assert [path for path, size in sizes.items() if size > (MAX_PAGE_BYTES if path in pages else MAX_BYTES)] == []
    long = {name_of(path): set(long_signatures(tree)) for path, tree in trees.items()}
    assert {name: functions for name, functions in long.items() if functions} == LONGER_SIGNATURES
