"""The package as its users get it: built, and installed into environments that hold what it asks for and no more."""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement

from tests.helpers.paths import ROOT
from tests.helpers.serving import free_port, running

WATCH = """
import os, sys
def watch(event, arguments, allowed={allowed!r}):
    if event != "open" or not isinstance(arguments[0], (str, bytes)):
        return
    path = os.path.abspath(os.fsdecode(arguments[0]))
    if path.startswith({root!r} + os.sep) and not path.startswith({root!r} + os.sep + ".venv"):
        with open({log!r}, "a") as log:
            print(path, file=log)
    if not allowed and path.startswith({site!r}) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        raise PermissionError(13, "read-only", path)
sys.addaudithook(watch)
"""
"""What each process of an environment does first: it notes what it opens of the project's own folder, and may be kept
from writing where packages are, as in an environment that belongs to somebody else."""


def build(folder: Path, project: Path = ROOT, kinds: Sequence[str] = ("wheel",)) -> list[Path]:
    """Build a project's wheel or source distribution into a folder, without a network; return what there is."""
    asked = [word for kind in kinds for word in ("--target", kind)]
    command = [sys.executable, "-m", "hatchling", "build", *asked, "--directory", str(folder)]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    return sorted(folder.iterdir())


def metadata(wheel: Path):
    with ZipFile(wheel) as file:
        return message_from_bytes(file.read(next(name for name in file.namelist() if name.endswith("/METADATA"))))


def asked_for(requirements: Sequence[str], extras: Sequence[str] = ()) -> set[str]:
    """Return the packages that requirements ask for here, and those that they ask for in turn."""
    found, waiting = set(), [(text, frozenset(extras)) for text in requirements]
    while waiting:
        text, of = waiting.pop()
        wanted = Requirement(text)
        if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in (*of, "")):
            continue
        if (wanted.name, frozenset(wanted.extras)) not in found:
            found.add((wanted.name, frozenset(wanted.extras)))
            waiting += [(each, frozenset(wanted.extras)) for each in distribution(wanted.name).requires or ()]
    return {name for name, _ in found}


@dataclass
class Environment:
    """An environment of its own. ``folder`` is where its programs work, and empty; ``read``: what they opened."""

    home: Path
    folder: Path
    read: Path

    def program(self, name: str) -> str:
        return str(self.home / ("Scripts" if os.name == "nt" else "bin") / name)

    @property
    def site(self) -> Path:
        return next(self.home.rglob("site-packages"))

    def run(self, *command: str) -> subprocess.CompletedProcess:
        return self._run(self.program(command[0]), *command[1:])

    def pip(self, *words: str) -> subprocess.CompletedProcess:
        """Let this environment's pip do something in that one, without a network."""
        return self._run(sys.executable, "-m", "pip", "--python", self.program("python"), *words)

    def _run(self, *command: str) -> subprocess.CompletedProcess:
        how = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": 600}
        return subprocess.run(command, cwd=self.folder, env=outside(), **how)

    def opened(self) -> list[str]:
        return self.read.read_text().splitlines() if self.read.exists() else []


def outside(**more: str) -> dict[str, str]:
    """Return an environment of variables that leads nowhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "STREAMLIT_", "PIP_"))}
    return {**kept, "PYTHONIOENCODING": "utf-8", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **more}


def environment(folder: Path, wheel: Path, extras: Sequence[str] = (), writable: bool = True) -> Environment:
    """Install a wheel and nothing else into a new environment, in which what it asks for lies ready."""
    made = Environment(folder / "environment", folder / "empty", folder / "read.txt")
    made.folder.mkdir(parents=True)
    venv.create(made.home, with_pip=False, symlinks=os.name != "nt")
    for name in asked_for(metadata(wheel).get_all("Requires-Dist"), extras):
        _lay_ready(name, made.site)
    installed = made.pip("install", "--quiet", "--no-index", "--no-deps", "--no-compile", str(wheel))
    assert installed.returncode == 0, installed.stderr
    watch = WATCH.format(allowed=writable, root=str(ROOT), log=str(made.read), site=str(made.site))
    (made.site / "sitecustomize.py").write_text(watch)
    return made


def _lay_ready(name: str, site: Path) -> None:
    found = distribution(name)
    for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
        here, there = Path(str(found.locate_file(top))).resolve(), site / top
        if not there.exists() and here.exists():
            _link(here, there)


def _link(here: Path, there: Path) -> None:
    try:
        there.symlink_to(here, target_is_directory=here.is_dir())
    except OSError:  # a system that lets only some people make links
        shutil.copytree(here, there) if here.is_dir() else shutil.copyfile(here, there)


@contextmanager
def served(made: Environment, command: Sequence[str] = ("privbo",), **variables: str) -> Iterator[int]:
    """Start the app by a command in the empty folder; yield its port, and stop it in the end."""
    port, log = free_port(), made.folder.parent / "log.txt"
    log.unlink(missing_ok=True)
    with running([made.program(command[0]), *command[1:]], port, log, cwd=made.folder, env=outside(**variables)):
        yield port
    assert "Traceback" not in log.read_text(), log.read_text()
