"""Start a federation on Flower.

``python -m privbo_core.federated.flower app FOLDER``      write a Flower app to start from
``python -m privbo_core.federated.flower check FOLDER``    say what its settings promise
``python -m privbo_core.federated.flower quietly PROGRAM …``  run a Flower program that calls nobody but its own
"""

import math
import os
import shutil
import sys
from pathlib import Path

from privbo_core.errors import DataError
from privbo_core.federated.flower.ledger import guarantee
from privbo_core.federated.flower.terms import Terms, read_terms
from privbo_core.federated.settings import NO_NOISE
from privbo_core.terminal import Parser, complain, ended, say

QUIET = {
    "FLWR_TELEMETRY_ENABLED": "0",
    "FLWR_DISABLE_UPDATE_CHECK": "1",
    "FLWR_DISABLE_RUNTIME_DEPENDENCY_INSTALLATION": "1",
}
"""With these Flower reports no usage, asks for no update and installs no package."""
TEMPLATE = Path(__file__).with_name("template")
"""The folder that somebody starts from: a Flower app, the public settings, an agent's own file, Flower's address."""
PROGRAMS = ("flwr", "flower-superlink", "flower-supernode")


def main(arguments: list[str]) -> int:
    """Do what the command line says; return the exit status: 1, and one sentence, if that is impossible."""
    return ended(lambda: _done(arguments))


def _done(arguments: list[str]) -> int:
    parser = Parser(prog="python -m privbo_core.federated.flower", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    app = commands.add_parser("app", help="write a Flower app to start from")
    app.add_argument("folder")
    app.add_argument("--port", type=int, default=8000, help="of the SuperLink that `flwr run` looks for (8000)")
    check = commands.add_parser("check", help="say what the settings of a folder promise")
    check.add_argument("folder")
    quietly = commands.add_parser("quietly", help="run a Flower program that calls nobody but its own")
    quietly.add_argument("program", choices=PROGRAMS)
    quietly.add_argument("rest", nargs="...")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "app":
            write_folder(chosen.folder, chosen.port)
            say(f"Written. Edit {chosen.folder}/app/federation.toml, then see docs/federated.md.")
        elif chosen.command == "check":
            say(in_words(read_terms(Path(chosen.folder) / "app" / "federation.toml")))
        else:
            _run(chosen.program, chosen.rest)
    except ValueError as fault:
        complain(str(fault))
        return 1
    except OSError as fault:
        complain(f"{fault.filename or 'The folder'} cannot be used: {fault.strerror or fault}.")
        return 1
    return 0


def write_folder(path: str | Path, port: int = 8000) -> None:
    """Write a federation to start from into a folder that is new or empty. Raises DataError otherwise."""
    folder = Path(path)
    try:
        if folder.exists() and any(folder.iterdir()):
            raise DataError(f"{folder.name!r} has something in it already; name a new folder.")
        for part in filter(Path.is_file, TEMPLATE.rglob("*.*")):
            target = folder / part.relative_to(TEMPLATE).as_posix().removesuffix(".txt")
            target.parent.mkdir(parents=True, exist_ok=True)
            text = part.read_text(encoding="utf-8")
            target.write_text(text.replace("{port}", str(port)), encoding="utf-8")
    except OSError as fault:
        raise DataError(f"The folder cannot be written: {fault.strerror or fault}.") from None


def in_words(terms: Terms) -> str:
    """Return in sentences what these settings promise."""
    shared, each = terms.shared, terms.settings
    promise = guarantee(terms)
    if math.isinf(promise.epsilon):
        return NO_NOISE
    return (
        f"{terms.agents} agents, {len(shared.phi):,} settings of {len(terms.names)} inputs. After {each.iterations} "
        f"rounds, each agent's part is hidden with ε = {promise.epsilon:.3g} at δ = {terms.delta:g} (noise multiplier "
        f"{each.z:.3g}); the server stops at ε = {terms.budget:g}. {promise.exposes}".rstrip()
    )


def _run(program: str, rest: list[str]) -> None:
    """Become a Flower program, the one beside this Python if there is one."""
    beside = Path(sys.executable).parent
    found = shutil.which(program, path=str(beside)) or shutil.which(program)
    if found is None:
        raise DataError(f"{program} is not installed here; `pip install .[federated]` installs Flower.")
    # Flower starts its own programs by their names.
    path = os.pathsep.join([str(beside), os.environ.get("PATH", "")])
    os.execve(found, [program, *rest], {**os.environ, **QUIET, "PATH": path})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
