"""An agent's own objective: a Python function or a command that prints a number. It runs where the agent is."""

import importlib
import math
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from privbo_core import files
from privbo_core.errors import DataError

Objective = Callable[[dict[str, float]], float]
ENGINE = __name__.partition(".")[0]
KEYS = ("agent", "objective", "command", "folder", "notebook", "seconds", "best")
"""What may stand in an agent's own file, agent.toml."""


class NoNumberError(Exception):
    """An objective that gave no number this time. The message says why, in the agent's own log."""


@dataclass(frozen=True)
class Own:
    """What an agent decides for itself: nothing of it is sent, except its ``number``.

    ``notebook``: where it writes down what it has tried. ``best``: the best outcome that there can be, if it is known
    and the agent wants its regret to be shown; None publishes nothing.
    """

    number: int
    evaluate: Objective
    notebook: Path
    best: float | None


def own(config: Mapping[str, Any], agents: int) -> Own:
    """Return the agent that ``config`` (agent.toml, or ``--node-config``) describes. Raises DataError otherwise."""
    what = "The agent's file"
    found = files.keys(what, dict(config), ("agent",), KEYS)
    number = files.whole_number("agent", found["agent"], 0, agents - 1)
    folder = Path(files.text("folder", found.get("folder", "."))).expanduser()
    if ("objective" in found) == ("command" in found):
        raise DataError(f'{what} must have either objective = "module:function" or command = "program arguments".')
    if "objective" in found:
        evaluate = function(files.text("objective", found["objective"]), folder)
    else:
        seconds = files.number("seconds", found.get("seconds", 3600))
        evaluate = command(files.text("command", found["command"]), folder, seconds)
    notebook = files.text("notebook", found.get("notebook", f"agent-{number}.jsonl"))
    best = files.number("best", found["best"]) if "best" in found else None
    return Own(number, evaluate, folder / Path(notebook).expanduser(), best)


def function(name: str, folder: Path) -> Objective:
    """Return ``module:function``, found in ``folder`` first. It takes {input: value} and returns a number."""
    module, _, attribute = name.partition(":")

    def evaluate(setting: dict[str, float]) -> float:
        sys.path.insert(0, str(folder.absolute()))
        try:
            found = getattr(importlib.import_module(module), attribute)(setting)
        except Exception as fault:
            raise NoNumberError(f"{name} stopped with {type(fault).__name__}: {fault}") from fault
        finally:
            sys.path.remove(str(folder.absolute()))
        return _number(found, name)

    if not module or not attribute:
        raise DataError(f'objective is {files.short(name)}; it must be "module:function".')
    if module.partition(".")[0] == ENGINE:
        raise DataError(f"objective is {files.short(name)}; it must be a function of your own, not {ENGINE}’s.")
    return evaluate


def command(line: str, folder: Path, seconds: float) -> Objective:
    """Return a program that gets ``input=value`` for each input as arguments; its last printed word is the number.

    It runs in ``folder``, without a shell, and is stopped after ``seconds``.
    """
    words = shlex.split(line)
    if not words:
        raise DataError("command is empty; it must be a program with its arguments.")

    def evaluate(setting: dict[str, float]) -> float:
        arguments = [f"{name}={value!r}" for name, value in setting.items()]
        try:
            done = subprocess.run(
                [*words, *arguments],
                cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                timeout=seconds, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as fault:
            raise NoNumberError(f"{words[0]} did not end well: {fault}") from fault
        if done.returncode:
            raise NoNumberError(f"{words[0]} ended with code {done.returncode}: {done.stderr.strip()[-200:]}")
        printed = done.stdout.split()
        return _number(printed[-1] if printed else "nothing", words[0])

    return evaluate


def _number(value: object, who: str) -> float:
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise NoNumberError(f"{who} gave {files.short(value)}, which is no number") from None
    if isinstance(value, bool) or not math.isfinite(found) or abs(found) > files.LARGEST:
        raise NoNumberError(f"{who} gave {files.short(value)}, which is no number that can be used")
    return found
