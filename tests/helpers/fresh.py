"""Run the README's commands as a newcomer would: `make fresh`.

    python -m tests.helpers.fresh                             `make run`, then `make test`
    python -m tests.helpers.fresh "make run" "make check"     these commands, one after the other

What git tracks is copied to a new folder, with uncommitted changes. The commands run there with an empty home, an empty
cache of pip, one font, another locale and another time zone. If root runs this on Linux, they run as a user without an
account. A command that begins with `make run` has succeeded once a visitor sees the first page, and is then stopped.

The newcomer's machine is still this one: its packages, its browser, and where its pip finds packages stay as they are.
The folder is removed if all commands succeed. Otherwise, the last line names it.
"""

import ast
import asyncio
import os
import pwd
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from configparser import RawConfigParser
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.ensure_browser import find
from tests.helpers.fonts import single_font
from tests.helpers.machines import COMMA, with_comma
from tests.helpers.paths import ROOT
from tests.helpers.serving import free_port
from tests.helpers.visitor import Visitor

START = 'class="pb-display"'
"""The title of the first page, which no other page has."""
COMMANDS = ("make run", "make test")
TIME_ZONE = "Pacific/Chatham"  # 12:45 or 13:45 ahead of UTC
INSTALLED_WITHIN = 1800  # seconds until the first page, with all packages to install
STOPPED_WITHIN = 30  # seconds
FIRST_UID = 20_000
KEPT = (
    ("PATH", "PYTHON", "BROWSERS", "PLAYWRIGHT_BROWSERS_PATH"),
    ("SSL_CERT_", "REQUESTS_CA_", "CURL_CA_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
)
"""Variables that belong to the machine, and beginnings of such names, beside those of pip."""
USABLE = "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"


@dataclass
class Newcomer:
    """A person to whom everything is new: a folder, variables, and how processes are started as their user."""

    folder: Path
    variables: dict[str, str]
    user: dict[str, object]

    @property
    def project(self) -> Path:
        return self.folder / "privbo"

    def own(self) -> None:
        """Let the folder and all that is in it belong to the newcomer."""
        if self.user:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, self.user["user"], self.user["group"], follow_symlinks=False)

    def can(self, *words: str) -> bool:
        """Tell whether a command of the newcomer's succeeds."""
        quietly = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        try:
            done = subprocess.run(words, cwd=self.folder, env=self.variables, **quietly, **self.user)
        except OSError:
            return False
        return done.returncode == 0

    @contextmanager
    def starting(self, words: list[str]) -> Iterator[subprocess.Popen]:
        """Start a command in the project's folder; in the end, stop what is left of it and of what it started."""
        how = {"cwd": self.project, "env": self.variables, "stdin": subprocess.DEVNULL, **self.user}
        process = subprocess.Popen(words, start_new_session=True, **how)
        try:
            yield process
        finally:
            for kind in (signal.SIGTERM, signal.SIGKILL):
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, kind)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(STOPPED_WITHIN)

    def run(self, command: str) -> int:
        """Run a command, and return its exit code."""
        with self.starting(shlex.split(command)) as process:
            return process.wait()

    def serve(self, command: str) -> int:
        """Run a command that serves the app until a visitor sees the first page; return 0 then, or its exit code."""
        port, deadline = free_port(), time.monotonic() + INSTALLED_WITHIN
        with self.starting([*shlex.split(command), f"PORT={port}"]) as process:
            while not answers(port):
                if process.poll() is not None:
                    return process.returncode or 1
                if time.monotonic() > deadline:
                    print(f"no answer at port {port} within {INSTALLED_WITHIN} s")
                    return 1
                time.sleep(0.5)
            asyncio.run(see_start(port))
            return 0


def answers(port: int) -> bool:
    """Tell whether the app's server answers."""
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5).close()
    except OSError:
        return False
    return True


async def see_start(port: int) -> None:
    """Open the first page until its title is there and all is drawn; raise TimeoutError if it takes too long."""
    visitor = await Visitor.arrive(port, "")
    await visitor.until(lambda: not visitor.running and any(START in text for text in visitor.html))
    await visitor.leave()
    assert not visitor.errors, visitor.errors


def kept() -> dict[str, str]:
    """Return the variables that stay as they are."""
    names, beginnings = KEPT
    return {
        name: value
        for name, value in os.environ.items()
        if name in names or name.upper().startswith((*beginnings, "PIP_"))
    }


def pip_settings(folder: Path) -> dict[str, str]:
    """Write down what this machine's files set for pip, its user's own included; the cache is the newcomer's."""
    listed = [sys.executable, "-m", "pip", "config", "list"]
    settings = RawConfigParser()
    for line in subprocess.run(listed, capture_output=True, text=True, check=True).stdout.splitlines():
        name, _, value = line.partition("=")
        section, _, key = name.partition(".")
        if section != ":env:":  # those are kept as variables
            settings.read_dict({section: {key: ast.literal_eval(value)}})
    path = folder / "pip.conf"
    with path.open("w", encoding="utf-8") as file:
        settings.write(file)
    return {"PIP_CONFIG_FILE": str(path), "PIP_CACHE_DIR": str(folder / "home" / ".cache" / "pip")}


def no_account() -> dict[str, object]:
    """Return how a process is started as a user without an account."""
    taken = {each.pw_uid for each in pwd.getpwall()}
    number = next(number for number in range(FIRST_UID, 2**16) if number not in taken)
    return {"user": number, "group": number, "extra_groups": []}


def make_newcomer(folder: Path) -> Newcomer:
    """Make what a newcomer has apart from the project; without an ordinary user, it's the user of this process."""
    for name in ("home", "temporary", "locale"):
        (folder / name).mkdir()
    variables = {
        **kept(),
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "temporary"),
        "TZ": TIME_ZONE,
        "LC_ALL": COMMA,  # where it can't be made, this is a locale that the machine lacks, as over a connection
        **{name: value for name, value in with_comma(str(folder / "locale")).items() if name == "LOCPATH"},
        **single_font(folder / "fonts"),
        **pip_settings(folder),
    }
    if "FONTCONFIG_FILE" not in variables:
        print("left out: another font (Debian: apt-get install fonts-dejavu-core)")
    needed = {os.environ.get("PYTHON", "python3"): ("-c", USABLE)}
    browser = find()
    if browser:
        variables["PRIVBO_BROWSER"] = browser
        needed[browser] = ("--version",)
    if sys.platform == "linux" and os.geteuid() == 0:
        ordinary = Newcomer(folder, variables, no_account())
        ordinary.own()
        missing = [program for program, words in needed.items() if not ordinary.can(program, *words)]
        if not missing:
            return ordinary
        print(f"left out: an ordinary user, for whom {' and '.join(missing)} (Python: 3.11 or later, with venv) fails")
    return Newcomer(folder, variables, {})


def copy_tracked(project: Path) -> None:
    """Copy the files that git tracks, as they are now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in os.fsdecode(listed).split("\0"):
        source, target = ROOT / name, project / name
        if name and (source.is_file() or source.is_symlink()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)


def main(commands: list[str]) -> int:
    """Run commands as a newcomer until one fails; return its exit code, or 0."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # what was started is stopped then, too
    folder = Path(tempfile.mkdtemp(prefix="fresh-")).resolve()
    code = 1
    try:
        newcomer = make_newcomer(folder)
        copy_tracked(newcomer.project)
        newcomer.own()
        for command in commands:
            print(f"\nfresh, as user {newcomer.user.get('user', os.getuid())}: {command}", flush=True)
            began = time.monotonic()
            code = (newcomer.serve if command.startswith("make run") else newcomer.run)(command)
            print(f"fresh: {command} ended with {code} after {time.monotonic() - began:.0f} s", flush=True)
            if code:
                break
    finally:
        if code:
            print(f"fresh: see {folder}", flush=True)
        else:
            shutil.rmtree(folder)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(COMMANDS)))
