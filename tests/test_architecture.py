"""The direction of imports, what the engine must not know, and how much fits into a file and a signature."""

import ast
import re
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.helpers.paths import ROOT

ENGINE, SCREEN = ROOT / "privbo_core", ROOT / "pages"
FLOORS = [
    "about",
    "errors",
    "arithmetic",
    "files",
    "gp",
    "data",
    "bo",
    "privacy",
    "outsourced",
    "release",
    "federated",
    "worth",
    "tradeoff",
    "decision",
    "tuning",
    "sklearn",
    "optuna",
    "audit",
    "classroom",
    "experiments",
    "promises",
    "workbench",
]
"""From the ground up: a package uses only those before it in this list."""
SYSTEMS = {"outsourced", "release", "federated"}
"""The published systems, which do not know each other."""
ROOMS = [
    {"values"},
    {"frame"},
    {"controls"},
    {"show"},
    {"computing"},
    {"take_away"},
    {"scenes"},
    {"bring"},
    {"system"},
    SYSTEMS,
    {"systems"},
    {"thumbs"},
    {"experiments"},
    {"kits"},
    {"start", "data", "tour", "reproduce", "audit", "tradeoff", "decision", "workbench", "classroom", "join"},
    {"front_door"},
]
"""The screen’s rooms from the ground up: one uses only those on lower floors, and none on its own."""
WRITES_HTML = {"values/text.py", "show/templates.py"}
"""The only modules that may hold an element of HTML; the elements themselves stand in show/html."""
TRUSTS_HTML = {"values/text.py", "show/templates.py", "show/explained.py", "show/look.py", "take_away/report.py"}
"""The only modules that may declare text to be HTML: what they escaped themselves, and files of the app's own."""
PAGE_LINES, PAGE_NAMES = 100, 12
MEASURED = [ENGINE, SCREEN, ROOT / "tests"]
"""The folders in which files’ sizes and signatures are counted."""
MOST_BYTES, MOST_PARAMETERS = 20_000, 7
LONGER_SIGNATURES = {
    # Their signature is documented, and each of its parameters is a letter of the algorithm.
    "privbo_core/bo/search.py": {"gp_ucb", "gp_ucb_runs"},
    # The interface of scikit-learn's searches: each is a parameter of get_params.
    "privbo_core/sklearn/search.py": {"__init__"},
}
"""The functions that may have more parameters, by file, with the reason."""


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


def rooms():
    """Yield each module of the screen's half with its floor and its room; the thin pages stand above all floors."""
    for path in SCREEN.rglob("*.py"):
        parts = path.relative_to(SCREEN).parts
        room = parts[1].removesuffix(".py") if parts[0] == "parts" else ""
        yield path, room, next((floor for floor, names in enumerate(ROOMS) if room in names), len(ROOMS))


def test_the_screen_s_rooms_use_those_below_them_only():
    for path, room, floor in rooms():
        assert floor < len(ROOMS) or not room, f"{room} is new: give it a place in ROOMS"
        for module in imported(path):
            if module.startswith("pages.parts."):
                other = module.split(".")[2]
                below = next(number for number, names in enumerate(ROOMS) if other in names)
                assert other == room or below < floor, f"{path.relative_to(ROOT)} imports {module}"


def test_the_screen_imports_at_the_top_only():
    for path, *_ in rooms():
        inside = [
            node for function in ast.walk(ast.parse(path.read_text())) if isinstance(function, ast.FunctionDef)
            for node in ast.walk(function) if isinstance(node, (ast.Import, ast.ImportFrom))
        ]  # fmt: skip
        assert not inside, f"{path.relative_to(ROOT)} hides an import in a function"


def test_html_is_written_in_templates_only():
    for path, *_ in rooms():
        name = path.relative_to(SCREEN / "parts").as_posix() if "parts" in path.parts else path.name
        tree = ast.parse(path.read_text())
        texts = [
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        found = [text[:80] for text in texts if re.search(r"</?[a-z][a-z0-9]*[\s/>]", text)]
        assert not found or name in WRITES_HTML, f"{path.relative_to(ROOT)} holds HTML: {found}"
        trusted = [
            node for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Markup"
        ]  # fmt: skip
        assert not trusted or name in TRUSTS_HTML, f"{path.relative_to(ROOT)} declares text to be HTML"


def test_a_page_reads_top_to_bottom():
    pages = [*SCREEN.glob("*.py"), *SCREEN.glob("parts/*/page.py")]
    assert len(pages) == 2 * len(list(SCREEN.glob("*.py")))
    for path in pages:
        source = path.read_text()
        names = [
            name for node in ast.parse(source).body if not isinstance(node, (ast.Import, ast.ImportFrom))
            for name in defined(node)
        ]  # fmt: skip
        assert len(source.splitlines()) <= PAGE_LINES, path
        assert len(names) <= PAGE_NAMES, f"{path}: {names}"


def defined(node):
    """Return the names that a statement at a module's top level defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return []


def test_the_engine_does_not_know_the_screen():
    for path in ENGINE.rglob("*.py"):
        for module in imported(path):
            assert module.split(".")[0] not in {"streamlit", "plotly", "pages"}, path


def module_name(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def uses_at_load(path, modules):
    """Return the modules of ``modules`` that this one imports as it is loaded; what only a type checker reads is not.

    ``from package import name`` uses the module ``package.name`` if there is one, and ``package`` itself otherwise.
    Importing a module also runs the packages around it. Those around the importer are being loaded already.
    """
    found, waiting = set(), list(ast.parse(path.read_text()).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: import by the full name"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in modules else node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            waiting += ast.iter_child_nodes(node)
    here = module_name(path)
    around = {package for name in found for package in packages_around(name)} - set(packages_around(here))
    return (found | around) & modules - {here}


def packages_around(name):
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def circle_in(graph):
    """Return the names along one circle of a graph, the first again at the end; None if it has no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as problem:
        return problem.args[1]
    return None


def test_modules_do_not_import_each_other_in_circles():
    paths = {module_name(path): path for root in (ENGINE, SCREEN) for path in root.rglob("*.py")}
    graph = {name: uses_at_load(path, set(paths)) for name, path in paths.items()}
    circle = circle_in(graph)
    assert circle is None, " ← ".join(circle)


def test_a_circle_is_found_and_named():
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": set()}) is None
    circle = circle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}})
    assert circle[0] == circle[-1]
    assert set(circle) == {"b", "c"}


def measured_files():
    return sorted(path for root in MEASURED for path in root.rglob("*.py"))


def test_a_file_is_read_in_one_sitting():
    sizes = {str(path.relative_to(ROOT)): path.stat().st_size for path in measured_files()}
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}


def long_signatures(source):
    """Yield the names of functions with more than seven parameters; self is none, ``**options`` is one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            given = node.args
            named = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            gathered = [one for one in (given.vararg, given.kwarg) if one]
            if len(named) - (named[:1] in (["self"], ["cls"])) + len(gathered) > MOST_PARAMETERS:
                yield node.name


def test_a_function_takes_seven_parameters_at_most():
    found = {str(path.relative_to(ROOT)): set(long_signatures(path.read_text())) for path in measured_files()}
    assert {name: functions for name, functions in found.items() if functions} == LONGER_SIGNATURES


@pytest.mark.parametrize(
    ("signature", "long"),
    [("a, b, c, d, e, f, g", 0), ("self, a, b, c, d, e, f, g", 0), ("a, b, c, /, d, *, e, f, g, h", 1),
     ("a, b, c, d, e, f, *g, **h", 1)],
)  # fmt: skip
def test_parameters_are_counted_wherever_they_stand(signature, long):
    assert len(list(long_signatures(f"def function({signature}): ..."))) == long
