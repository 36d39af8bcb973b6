"""Write docs/api: a page for each package of the engine, made of its docstrings: `make docs`.

pdoc finds what is public and what is said of it. The pages are Markdown and kept with the code, so that they can be
read where the code is, without building anything; a test holds them to the docstrings.
"""

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pdoc

import privbo_core

FOLDER = Path(__file__).parent / "api"
ASKED_FOR = ("optuna", "sklearn")
"""The packages that `import privbo_core` does not load, since what they need is optional."""
WIDTH = 110
LONGEST_VALUE = 160
INTRODUCTION = """# The engine's public names

`import privbo_core as pb` gives the packages below, each with a page of its own; what optional tools need is imported
by its full name: `privbo_core.optuna`, `privbo_core.sklearn`. What is not listed may change. Units, shapes and what is
raised stand beside each name, and a test runs the examples. All of it is made of the code's docstrings: `make docs`.

| package | what is in it |
|---|---|
"""


def pages() -> dict[str, str]:
    """Return each page's text by its file name."""
    names = [name for name in privbo_core.__all__ if isinstance(getattr(privbo_core, name), ModuleType)]
    packages = [importlib.import_module(f"privbo_core.{name}") for name in sorted([*names, *ASKED_FOR])]
    rows = "".join(
        f"| [`{each.__name__}`]({_file(each)}) | {_escaped(_summary(each.__doc__ or ''))} |\n" for each in packages
    )
    return {"README.md": INTRODUCTION + rows, **{_file(each): _page(each) for each in packages}}


def _file(package: ModuleType) -> str:
    return f"{package.__name__.removeprefix('privbo_core.')}.md"


def _page(package: ModuleType) -> str:
    known = pdoc.doc.Module(package)
    parts = [f"# `{package.__name__}`", *_paragraphs(known.docstring), *_entries(known)]
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def _entries(known: pdoc.doc.Module, within: str = "") -> Iterator[str]:
    """Yield what is said of each public name of a package, or of a module ``within`` it."""
    package = known.obj
    names = getattr(package, "__all__", None) or [each.name for each in known.members.values() if _own(each, package)]
    for name in names:
        yield f"##{'#' if within else ''} `{within}{name}`"
        if isinstance(inner := getattr(package, name), ModuleType):
            yield from _paragraphs(inner.__doc__ or "")
            yield from _entries(pdoc.doc.Module(inner), f"{name}.")
        else:
            yield from _entry(known.members[name])


def _own(member: pdoc.doc.Doc, package: ModuleType) -> bool:
    return not member.name.startswith("_") and member.taken_from[0] == package.__name__


def _entry(member: pdoc.doc.Doc) -> Iterator[str]:
    if isinstance(member, pdoc.doc.Class):
        (node,) = (each for each in ast.parse(textwrap.dedent(member.source)).body if isinstance(each, ast.ClassDef))
        yield _code(f"class {_call(member.name, _fields(node))}")
        yield from _paragraphs(member.docstring)
        yield "\n".join(_methods(node))
    elif isinstance(member, pdoc.doc.Function):
        yield _code(_signature(ast.parse(textwrap.dedent(member.source)).body[0], member.name))
        yield from _paragraphs(member.docstring)
    else:
        assert isinstance(member, pdoc.doc.Variable)
        value = member.default_value_str
        yield _code(f"{member.name} = {value}" if value and len(value) <= LONGEST_VALUE else member.name)
        yield from _paragraphs(member.docstring)


def _methods(node: ast.ClassDef) -> Iterator[str]:
    """Yield a line for each public method and property of a class, in the order of its source."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
            said = _escaped(_summary(ast.get_docstring(each) or ""))
            kinds = {ast.unparse(decorator).rpartition(".")[2] for decorator in each.decorator_list}
            shown = each.name if kinds & {"property", "cached_property"} else " ".join(_signature(each).split())
            yield f"- `{shown.replace('( ', '(').replace(', )', ')')}`{': ' + said if said else ''}"


def _signature(node: ast.stmt, name: str | None = None) -> str:
    """Return how a function is called, with its types as its source writes them."""
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    returned = f" -> {_plain(ast.unparse(node.returns))}" if node.returns else ""
    return _call(name or node.name, _parameters(node.args)) + returned


def _call(name: str, parameters: list[str]) -> str:
    short = f"{name}({', '.join(parameters)})"
    if len(short) <= WIDTH or not parameters:
        return short
    return "\n".join([f"{name}(", *(f"    {each}," for each in parameters), ")"])


def _parameters(found: ast.arguments) -> list[str]:
    """Return the parameters of a function, without the object that a method is of."""
    found.posonlyargs = [each for each in found.posonlyargs if each.arg not in ("self", "cls")]
    found.args = [each for each in found.args if each.arg not in ("self", "cls")]
    plain = [*found.posonlyargs, *found.args]
    defaults: list[ast.expr | None] = [*[None] * (len(plain) - len(found.defaults)), *found.defaults]
    alone = [_parameter(each, default) for each, default in zip(plain, defaults, strict=True)]
    if found.posonlyargs:
        alone.insert(len(found.posonlyargs), "/")
    if found.vararg:
        alone.append(f"*{_parameter(found.vararg, None)}")
    elif found.kwonlyargs:
        alone.append("*")
    alone += [_parameter(each, default) for each, default in zip(found.kwonlyargs, found.kw_defaults, strict=True)]
    return alone + ([f"**{_parameter(found.kwarg, None)}"] if found.kwarg else [])


def _parameter(found: ast.arg, default: ast.expr | None) -> str:
    text = found.arg + (f": {_plain(ast.unparse(found.annotation))}" if found.annotation else "")
    return text if default is None else f"{text}{' = ' if found.annotation else '='}{ast.unparse(default)}"


def _fields(node: ast.ClassDef) -> list[str]:
    """Return what a class is made from: the parameters of its __init__, or its fields."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            return _parameters(each.args)
    return [
        _plain(ast.unparse(each)) for each in node.body
        if isinstance(each, ast.AnnAssign) and not ast.unparse(each.target).startswith("_")
    ]  # fmt: skip


CHECKED = {"Line": "str", "Text": "str", "Finite": "float", "UpToInfinity": "float"}
"""The types of `privbo_core.records`, as readers know them; what they may be is said in words, or in the refusal."""


def _plain(text: str) -> str:
    """Return a type without the quotes that keep Python from reading it too early, and without limits."""
    text = re.sub(r"^'([\w.\[\], |]+)'$", r"\1", text)
    text = re.sub(r"Annotated\[(\w+), Meta\([^)]*\)\]", r"\1", text)
    return re.sub(rf"\b({'|'.join(CHECKED)})\b", lambda found: CHECKED[found[0]], text)


def _code(text: str) -> str:
    return f"```py\n{text}\n```"


def _paragraphs(docstring: str) -> Iterator[str]:
    """Yield a docstring's paragraphs as Markdown, its examples as sessions at Python's prompt."""
    for part in re.split(r"\n{2,}", inspect.cleandoc(docstring)):
        if part.startswith(">>> "):
            yield f"```pycon\n{part}\n```"
        else:
            yield part if part.startswith("    ") else _escaped(part)


def _summary(docstring: str) -> str:
    """Return the first paragraph in one line."""
    return " ".join(inspect.cleandoc(docstring).split("\n\n")[0].split())


def _escaped(text: str) -> str:
    """Return text as Markdown that shows it as it is; what stands between backticks is code already."""
    parts = re.split(r"(``.+?``|`.+?`)", text, flags=re.DOTALL)
    parts[::2] = [re.sub(r"([*<|])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def write() -> None:
    """Write the pages, and remove those of packages that are no more."""
    FOLDER.mkdir(exist_ok=True)
    made = pages()
    for path in FOLDER.glob("*.md"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
