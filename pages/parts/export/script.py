"""The view as a script: what it needs of a table of one's own, and its first lines."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from privbo_core.arithmetic import made_with
from privbo_core.data import SAMPLES, Problem
from privbo_core.data.make import STARTS
from privbo_core.gp import Fit


@dataclass(frozen=True)
class Recipe:
    """The arguments of `make_problem`; ``fit`` where a fit was stopped early, after so many ``starts``.

    ``missing``: which numbers mean that there is no value, by column, where the table is read.
    """

    inputs: tuple[str, ...]
    output: str
    maximize: bool
    log_output: bool
    encode: dict[str, str]
    fit: Fit | None
    starts: int = STARTS
    missing: dict[str, list[float]] = field(default_factory=dict)


SHOW = """
def show(name, *values):  # six digits, as in the figures
    print(name, *(f"{value:.6g}" for value in values))
"""
INSTALL = "pip install path/to/PrivBO"
HOW = (
    f"To run it, in any folder: {INSTALL} once (the folder with pyproject.toml), then python with this file.",
    "Without installing: set the environment variable PYTHONPATH to that folder.",
)
"""How a person runs a script, at its top."""
FOUND = (
    "from importlib.util import find_spec",
    'if find_spec("privbo_core") is None:',
    f'    raise SystemExit("PrivBO is not there. Install it once: {INSTALL}, or set PYTHONPATH to its folder.")',
)
"""The lines that say so where the engine cannot be found."""
FILE, FRAME = "your file.csv", "your frame.json"
MADE = (
    "from privbo_core.arithmetic import as_made  # in one thread, as in the app; says so where a machine rounds "
    "otherwise"
)
NUMPY, ENGINE = "import numpy as np", "import privbo_core as pb"


def script(title: str, imports: Sequence[str], body: str) -> str:
    """Return a script: what it is and was written for, its imports, its body."""
    head = [f'"""{as_comment(title)}: prints the numbers behind the figures.', "", *HOW, '"""']
    made = [MADE, f"as_made({made_with()!r})"]
    return "\n".join([*head, *FOUND, *imports, *made, SHOW, body.strip(), ""])


def as_comment(text: str) -> str:
    """Return text as it may stand in a comment or a docstring: on one line, and without what could end either."""
    return "".join(letter if letter.isprintable() else " " for letter in text).replace("\\", "/").replace('"', "”")


def arguments(values: Mapping[str, object]) -> str:
    """Return keyword arguments as they are written in a call; numbers keep all their digits."""
    return ", ".join(f"{name}={number(value)}" for name, value in values.items())


def number(value: object) -> str:
    """Return a value as Python reads it, with all its digits."""
    if isinstance(value, float):
        value = float(value)  # not NumPy's own kind, which writes itself differently
        return "math.inf" if math.isinf(value) else repr(int(value) if value.is_integer() and value < 1e9 else value)
    return repr(value)


def table_line(missing: Mapping[str, Sequence[float]]) -> str:
    """Return the line that reads a table as the pages do; ``missing``: numbers that mean that there is no value."""
    return f"table = pb.data.load_table({FILE!r}{f', {missing!r}' if missing else ''})"


def problem_lines(problem: Problem, own: Recipe | None) -> str:
    """Return the lines that make the problem: a sample by name, or one's own table with the same choice of columns."""
    if problem.identity is not None:
        kind, _, rest = problem.identity.partition("/")
        name = rest if kind == "sample" else kind
        assert name in SAMPLES
        return f"problem = pb.data.sample({name!r})"
    assert own is not None
    chosen = {"maximize": own.maximize, "log_output": own.log_output, "encode": own.encode}
    made, fit = arguments(chosen), ""
    if own.fit is not None:  # the fit was stopped: this is what had been found
        kernel = f"{type(own.fit.kernel).__name__}(1.0, {number(own.fit.kernel.variance)})"
        lengthscales = [float(each) for each in own.fit.lengthscales]
        fit = f"\nfit = pb.gp.Fit(pb.gp.{kernel}, {number(own.fit.noise_variance)}, np.array({lengthscales!r}))"
        made += ", hyperparameters=fit"
    if problem.known_frame is not None:
        made += f", frame=pb.data.read_frame({FRAME!r})"
    return (
        f"{table_line(own.missing)}{fit}\nproblem = pb.data.make_problem(table, {list(own.inputs)!r}, {own.output!r}, "
        f"{made})"
    )
