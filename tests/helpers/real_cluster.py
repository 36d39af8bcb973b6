"""A real Dask cluster on loopback for tests: a scheduler and workers, each a process of its own."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from tests.helpers.paths import ROOT


class RealCluster:
    """A scheduler on a free port of loopback, and the workers that were started."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._processes = folder, []
        where = folder / "scheduler.json"
        self.scheduler = self._start("dask_scheduler --port 0", "--scheduler-file", str(where))
        while not _whole(where):
            assert self.scheduler.poll() is None, "the scheduler ended at once"
            time.sleep(0.02)
        self.address = json.loads(where.read_text())["address"]

    def worker(self, threads=1, engine=ROOT):
        """Start a worker; ``engine`` is the folder that its privbo_core comes from, None for none at all."""
        command = f"dask_worker {self.address} --no-nanny --nthreads {threads} --death-timeout 60"
        return self._start(command, engine=engine)

    def end(self):
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()

    def _start(self, command, *more, engine=None):
        environment = dict(os.environ)
        environment.pop("PYTHONPATH", None)
        if engine is not None:
            environment["PYTHONPATH"] = str(engine)
        words = f"-m distributed.cli.{command} --no-dashboard --host 127.0.0.1".split()
        how = {"cwd": self._folder, "env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._processes.append(subprocess.Popen([sys.executable, *words, *more], **how))
        return self._processes[-1]


@contextmanager
def real_cluster(folder):
    cluster = RealCluster(folder)
    try:
        yield cluster
    finally:
        cluster.end()


def _whole(path):
    try:
        return "address" in json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return False
