"""The runner: any executor, any interruption, the same results."""

import json
import os
import random
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import pytest

from privbo_core import experiments
from privbo_core.about import made_with
from privbo_core.errors import DataError
from privbo_core.experiments import Arm, Experiment, Store, WorkerDiedError, cluster, runner
from privbo_core.experiments.__main__ import main
from privbo_core.experiments.runner import process_pool
from tests.helpers.amounts import few
from tests.helpers.paths import ROOT

BRIEF = {
    "epsilon": 1.0, "iterations": 5, "candidates": 20, "delta": 1e-3, "sigma": 0.1, "k1": 0.9, "a": 3.0, "draws": 5
}  # fmt: skip
TINY = Experiment(
    "tiny", "t", "p", "about", tuple(Arm(f"T = {T}", "bounds", BRIEF | {"iterations": T}) for T in (3, 5, 8)),
    runs=6, piece=2,
)  # fmt: skip


class AtOnce(Executor):
    """The least that an executor can be: it computes before it returns, or never."""

    def __init__(self, ever=True):
        self.handed_in, self.ever = 0, ever

    def submit(self, task, /, *args, **kwargs):
        """Compute before returning."""
        self.handed_in += 1
        future = Future()
        try:
            if self.ever:
                future.set_result(task(*args, **kwargs))
        except BaseException as problem:
            future.set_exception(problem)
        return future


def finish(experiment=TINY, **options):
    *_, last = experiments.run(experiment, **options)
    return last


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.jsonl"


def test_every_executor_gives_the_same_outcomes():
    alone = finish()
    assert alone.done == alone.total == 9
    for executor in (ThreadPoolExecutor(2), process_pool(1)):
        with executor:
            assert finish(executor=executor, ahead=9).outcomes == alone.outcomes


def numbers(**options):
    found = experiments.report(TINY, finish(**options).outcomes).values
    return {arm: {measure: values.tolist() for measure, values in each.items()} for arm, each in found.items()}


def test_numbers_do_not_depend_on_the_size_of_pieces():
    whole, fewer = numbers(), numbers(runs=3, piece=1)
    assert numbers(piece=4) == whole
    assert all(whole[arm][measure][:3] == values for arm, each in fewer.items() for measure, values in each.items())


def test_stored_results_are_not_computed_again(path):
    with Store(path) as store:
        steps = experiments.run(TINY, store=store)
        for step in steps:
            if step.done == 4:
                steps.close()
    with Store(path) as store:
        executor = AtOnce()
        last = finish(executor=executor, store=store)
        assert ((executor.handed_in, last.reused, last.done), last.outcomes) == ((5, 4, 9), finish().outcomes)
        changed = replace(TINY, arms=(Arm("T = 3", "bounds", BRIEF | {"iterations": 4}),))
        assert finish(changed, store=store, runs=2).reused == 0


def test_it_yields_while_waiting(monkeypatch):
    monkeypatch.setattr(runner, "YIELD_INTERVAL", 0.001)
    steps = experiments.run(TINY, executor=AtOnce(ever=False))
    assert [next(steps).done for _ in range(4)] == [0, 0, 0, 0]
    executor = AtOnce()
    steps = experiments.run(TINY, executor=executor, ahead=2)
    next(steps)
    next(steps)
    steps.close()
    assert executor.handed_in == 2


def test_an_error_in_a_piece_keeps_the_others(path):
    broken = replace(TINY, arms=(TINY.arms[0], Arm("broken", "bounds", BRIEF | {"epsilon": -1.0}), TINY.arms[1]))
    with Store(path) as store, pytest.raises(ValueError, match=r"epsilon is -1\.0"):
        finish(broken, executor=AtOnce(), store=store, runs=2)
    assert len(experiments.read(path)[0]) == 2


def die(*_):
    os._exit(1)


def test_a_worker_that_dies_is_a_sentence(monkeypatch):
    monkeypatch.setattr(runner, "work", die)
    with (
        ProcessPoolExecutor(1) as processes,
        pytest.raises(WorkerDiedError, match="0 of 9 pieces are finished"),
    ):
        finish(executor=processes)


@pytest.mark.parametrize("bad", [{"runs": 0}, {"runs": 1.5}, {"piece": 0}])
def test_numbers_below_one_are_named(bad):
    with pytest.raises(ValueError, match="must be a whole number of at least 1"):
        finish(**bad)


SCRIPT = """
import sys
sys.path[:0] = [{root!r}]
from contextlib import nullcontext
from privbo_core import experiments
from privbo_core.experiments.runner import process_pool
from tests.core.experiments.test_runner import TINY
if __name__ == "__main__":
    workers = int(sys.argv[2])
    with experiments.Store(sys.argv[1]) as store, process_pool(workers) if workers else nullcontext() as executor:
        for _ in experiments.run(TINY, store=store, executor=executor, runs=30, piece=1):
            pass
        store.settle()
"""


def start(path, workers):
    script = path.with_name("run.py")
    script.write_text(SCRIPT.format(root=str(ROOT)))
    return subprocess.Popen([sys.executable, script, path, str(workers)], stderr=subprocess.PIPE, text=True)


def whole_lines(path):
    content = path.read_bytes() if path.exists() else b""
    return content[: content.rfind(b"\n") + 1].decode().splitlines()


def wait_for(process, path, lines):
    while process.poll() is None and len(whole_lines(path)) < lines:
        time.sleep(0.001)


@pytest.mark.parametrize(("workers", "seed"), few([(0, 1)], [(0, 1), (0, 2), (2, 3)]))
def test_a_killed_run_loses_and_repeats_nothing(path, workers, seed):
    """SIGKILL after a random number of results, several times; what is there afterwards is what would have been."""
    dice, before = random.Random(seed), []
    for _ in range(few(1, 4)):
        process = start(path, workers)
        wait_for(process, path, len(before) + dice.randrange(1, 12))
        time.sleep(dice.random() * 0.01)
        process.kill()
        process.communicate(timeout=60)  # comes to an end with its workers, who hold the same pipe
        after = whole_lines(path)
        keys = {(made["arm"], made["first"]) for made in map(json.loads, after)}
        assert len(keys) == len(after), "a piece was computed twice"
        assert set(before) <= set(after), "a finished piece was lost"
        before = after
    assert 0 < len(before) < 90
    process = start(path, workers)
    _, complaints = process.communicate()
    assert process.returncode == 0, complaints
    assert set(before) <= set(whole_lines(path))
    with Store(path.with_name("whole")) as store:
        finish(store=store, runs=30, piece=1)
        store.settle()
    assert path.read_bytes() == path.with_name("whole").read_bytes()


def test_a_torn_last_line_is_ignored_and_cut_off(path):
    with Store(path) as store:
        finish(store=store)
    complete = path.read_bytes()
    path.write_bytes(complete[:-7])
    assert len(experiments.read(path)[0]) == 8
    with Store(path) as store:
        assert (len(store.outcomes), finish(store=store).reused) == (8, 8)
    assert path.read_bytes() == complete


def test_a_file_in_use_or_of_another_kind_is_refused(path):
    with Store(path) as store:
        for _ in range(2):
            with pytest.raises(DataError, match="in use: another process is adding results"), Store(path):
                pass
            store.settle()  # a new file takes the old one's place: it must be locked as well
        finish(store=store)
    with Store(path) as again:
        assert len(again.outcomes) == 9
    path.write_text("Dear all,\nno results here.\n")
    for place, words in ((path, "line 1 of .* is not a result"), (path / "in it", "cannot be opened for writing")):
        with pytest.raises(DataError, match=words), Store(place):
            pass
    assert path.read_text() == "Dear all,\nno results here.\n"


def test_a_settled_file_does_not_depend_on_the_order(tmp_path):
    outcomes = finish().outcomes
    for name, written in (("one", outcomes), ("two", outcomes[::-1])):
        with Store(tmp_path / name) as store:
            for each in written:
                store.add(each)
                store.note("tiny", {"command": "x"})
            store.settle()
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert {path.suffix for path in tmp_path.glob(".*")} <= {".lock"}


def test_the_command_lists_runs_and_resumes(path, capsys):
    assert (main([]), capsys.readouterr().out.count("\n")) == (0, len(experiments.EXPERIMENTS))
    command = ["bounds-epsilon", "--runs", "2", "--json", str(path)]
    assert main(command) == 0
    first = path.read_bytes()
    assert "Theorem 2" in capsys.readouterr().out
    assert (main(command), path.read_bytes()) == (0, first)
    made = json.loads(first.splitlines()[0])
    assert (made["command"], made["runs"]) == ("python -m privbo_core.experiments bounds-epsilon --runs 2", 2)
    assert made["numpy"]
    with Store(path):
        for arguments, words in (
            (["table-99"], "There is no experiment 'table-99'"),
            (["table-1", "--runs", "0"], "runs is 0. It must be"),
            (["table-1", "--workers", "0"], "workers is 0. It must be at least 1"),
            (["bounds-epsilon", "--runs", "1", "--json", str(path)], "another process is adding results"),
        ):
            assert main(arguments) == 2
            assert words in capsys.readouterr().err


def test_a_stopped_command_can_be_resumed(path, capsys, monkeypatch):
    seen = []

    def work(piece, real=runner.work):
        seen.append(piece)
        if len(seen) > 2:
            raise KeyboardInterrupt
        return real(piece)

    monkeypatch.setattr(runner, "work", work)
    assert main(["bounds-epsilon", "--json", str(path)]) == 130
    assert str(path) in capsys.readouterr().out
    assert len(experiments.read(path)[0]) == 2


def test_a_worker_with_other_versions_refuses_to_compute(monkeypatch):
    here = made_with()
    assert cluster._call(here, abs, (-3,), {}) == 3
    monkeypatch.setattr(cluster, "made_with", lambda: here | {"numpy": "1.0"})
    with pytest.raises(BrokenExecutor, match=rf"has numpy 1\.0\. .* numpy {here['numpy']}"):
        cluster._call(here, abs, (-3,), {})


def test_results_of_an_earlier_version_are_reused(path):
    """An earlier version also stored how the machine's arithmetic rounds."""
    with Store(path) as store:
        finish(store=store, runs=2)
    kept = experiments.read(path)[0]
    path.write_text(path.read_text().replace('"first":', '"arithmetic":"0123abcd","first":'))
    assert path.read_text().count("0123abcd") == len(kept)
    assert experiments.read(path)[0] == kept
    with Store(path) as store:
        assert finish(store=store, runs=2).reused == len(kept)


@pytest.mark.parametrize(
    "damage",
    [
        {"first": "0"}, {"first": True}, {"first": 1.0}, {"measures": {}}, {"measures": {"last": 3.0}},
        {"measures": {"last": ["3"]}}, {"measures": []}, {"arm": None}, {"digest": 8}, {"curve": "12"},
    ],
)  # fmt: skip
def test_a_damaged_result_is_refused_with_its_line(path, damage):
    fields = {"experiment": "tiny", "arm": "T = 3", "digest": "0" * 8, "first": 0, "measures": {"last": [1, 2.5]}}
    path.write_text(json.dumps(fields) + "\n")
    ((_, outcome),) = experiments.read(path)[0].items()
    assert outcome.measures == {"last": (1.0, 2.5)}
    path.write_text(json.dumps(fields) + "\n" + json.dumps(fields | damage) + "\n")
    with pytest.raises(DataError, match="line 2 of"):
        experiments.read(path)


def test_a_cluster_without_the_package_is_explained(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["bounds-epsilon", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "pip install" in capsys.readouterr().err
