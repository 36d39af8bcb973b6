"""The runner: any executor, any interruption, the same results."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from privbo_core import experiments
from privbo_core.errors import DataError
from privbo_core.experiments import Arm, Experiment, Store, WorkerDiedError, runner
from privbo_core.experiments.__main__ import main
from privbo_core.experiments.pool import process_pool
from tests.helpers.paths import ROOT

BRIEF = {
    "epsilon": 1.0, "iterations": 5, "candidates": 20, "delta": 1e-3, "sigma": 0.1, "k1": 0.9, "a": 3.0, "draws": 5
}  # fmt: skip
TINY = Experiment(
    "tiny", "t", "p", "about", tuple(Arm(f"T = {T}", "bounds", BRIEF | {"iterations": T}) for T in (3, 5, 8)),
    runs=6, piece=2,
)  # fmt: skip


class AtOnce(Executor):
    """The least that an executor can be."""

    def __init__(self):
        self.handed_in = 0

    def submit(self, task, /, *args, **kwargs):
        """Compute before returning."""
        self.handed_in += 1
        future = Future()
        try:
            future.set_result(task(*args, **kwargs))
        except BaseException as problem:
            future.set_exception(problem)
        return future


def finish(**options):
    *_, last = experiments.run(TINY, **options)
    return last


def test_every_executor_gives_the_same_outcomes():
    alone = finish()
    assert alone.done == alone.total == 9
    assert finish(executor=AtOnce()).outcomes == alone.outcomes
    with ThreadPoolExecutor(2) as threads:
        assert finish(executor=threads).outcomes == alone.outcomes
    with ProcessPoolExecutor(2) as processes:
        assert finish(executor=processes, ahead=9).outcomes == alone.outcomes
    with process_pool(2) as processes:
        assert finish(executor=processes).outcomes == alone.outcomes


def test_pieces_of_another_size_hold_the_same_numbers():
    def values(progress):
        return {name: dict(found) for name, found in numbers(TINY, progress).items()}

    assert values(finish(piece=4)) == values(finish(piece=1)) == values(finish())


def numbers(experiment, progress):
    found = experiments.report(experiment, progress.outcomes).values
    return {arm: {measure: values.tolist() for measure, values in each.items()} for arm, each in found.items()}


def test_more_runs_begin_with_the_fewer():
    few, many = numbers(TINY, finish(runs=3, piece=1)), numbers(TINY, finish(runs=5, piece=1))
    assert all(many[arm][measure][:3] == values for arm, each in few.items() for measure, values in each.items())


def test_what_is_stored_is_not_computed_again(tmp_path):
    with Store(tmp_path / "results.jsonl") as store:
        steps = experiments.run(TINY, store=store)
        for step in steps:
            if step.done == 4:
                steps.close()
                break
    with Store(tmp_path / "results.jsonl") as store:
        executor = AtOnce()
        last = finish(executor=executor, store=store)
    assert executor.handed_in == 5
    assert (last.reused, last.done) == (4, 9)
    assert last.outcomes == finish().outcomes


def test_settings_that_changed_are_computed_again(tmp_path):
    changed = Experiment(
        "tiny", "t", "p", "about", (Arm("T = 3", "bounds", BRIEF | {"iterations": 4}),), runs=2, piece=2
    )
    with Store(tmp_path / "results.jsonl") as store:
        finish(store=store)
        *_, last = experiments.run(changed, store=store)
    assert last.reused == 0


def test_closing_hands_in_nothing_more():
    executor = AtOnce()
    steps = experiments.run(TINY, executor=executor, ahead=2)
    next(steps)
    next(steps)
    steps.close()
    assert executor.handed_in == 2


def test_it_yields_while_a_piece_is_under_way(monkeypatch):
    """Somebody who wants to stop is heard before the piece is finished."""
    monkeypatch.setattr(runner, "TICK", 0.001)

    class Never(Executor):
        def submit(self, task, /, *args, **kwargs):
            return Future()

    steps = experiments.run(TINY, executor=Never())
    assert [next(steps).done for _ in range(4)] == [0, 0, 0, 0]


def test_a_problem_in_a_piece_is_told_and_the_others_kept(tmp_path):
    broken = Experiment(
        "tiny", "t", "p", "about",
        (TINY.arms[0], Arm("broken", "bounds", BRIEF | {"epsilon": -1.0}), TINY.arms[1]), runs=2, piece=2,
    )  # fmt: skip
    with Store(tmp_path / "results.jsonl") as store, pytest.raises(ValueError, match=r"epsilon is -1\.0"):
        list(experiments.run(broken, executor=AtOnce(), store=store))
    assert len(experiments.read(tmp_path / "results.jsonl")[0]) == 2


def die(*_):
    os._exit(1)


def test_a_worker_that_dies_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "work", die)
    with (
        ProcessPoolExecutor(1) as processes,
        pytest.raises(WorkerDiedError, match=r"0 of 9 pieces are finished\. Run the same again"),
    ):
        list(experiments.run(TINY, executor=processes))


@pytest.mark.parametrize("bad", [{"runs": 0}, {"runs": 1.5}, {"piece": 0}])
def test_numbers_below_one_are_named(bad):
    with pytest.raises(ValueError, match="must be a whole number of at least 1"):
        finish(**bad)


SCRIPT = """
import sys
sys.path[:0] = [{root!r}]
from contextlib import nullcontext
from privbo_core import experiments
from privbo_core.experiments.pool import process_pool
from tests.core.experiments.test_runner import TINY
if __name__ == "__main__":
    workers = int(sys.argv[2])
    with experiments.Store(sys.argv[1]) as store, process_pool(workers) if workers else nullcontext() as executor:
        for _ in experiments.run(TINY, store=store, executor=executor, runs=60, piece=1):
            pass
        store.settle()
"""


def start(path, workers, tmp_path):
    script = tmp_path / "run.py"
    script.write_text(SCRIPT.format(root=str(ROOT)))
    return subprocess.Popen([sys.executable, script, path, str(workers)], stderr=subprocess.PIPE, text=True)


def whole_lines(path):
    if not path.exists():
        return []
    content = path.read_bytes()
    return content[: content.rfind(b"\n") + 1].decode().splitlines()


def key(line):
    fields = json.loads(line)
    return fields["arm"], fields["first"]


@pytest.mark.parametrize(("workers", "seed"), [(0, 1), (0, 2), (2, 3)])
def test_killed_at_any_moment_it_loses_and_repeats_nothing(tmp_path, workers, seed):
    """SIGKILL after a random number of results, several times; what is there afterwards is what would have been."""
    dice = random.Random(seed)
    path, before = tmp_path / "killed.jsonl", []
    for _ in range(4):
        process = start(path, workers, tmp_path)
        enough = len(before) + dice.randrange(1, 30)
        while process.poll() is None and len(whole_lines(path)) < enough:
            time.sleep(0.001)
        time.sleep(dice.random() * 0.01)
        process.kill()
        process.communicate()
        after = whole_lines(path)
        assert len({key(line) for line in after}) == len(after), "a piece was computed twice"
        assert set(before) <= set(after), "a finished piece was lost"
        before = after
    assert 0 < len(before) < 180
    process = start(path, workers, tmp_path)
    _, complaints = process.communicate()
    assert process.returncode == 0, complaints
    assert set(before) <= set(whole_lines(path))
    with Store(tmp_path / "whole.jsonl") as store:
        list(experiments.run(TINY, store=store, runs=60, piece=1))
        store.settle()
    assert path.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_workers_do_not_outlive_a_killed_parent(tmp_path):
    process = start(tmp_path / "results.jsonl", 2, tmp_path)
    while process.poll() is None and len(whole_lines(tmp_path / "results.jsonl")) < 2:
        time.sleep(0.01)
    workers = children(process.pid)
    assert workers
    process.kill()
    process.communicate()
    while any(alive(worker) for worker in workers):
        time.sleep(0.05)


def children(parent):
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(each) for each in listed if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]


def alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_torn_last_line_is_ignored_and_cut_off(tmp_path):
    path = tmp_path / "results.jsonl"
    with Store(path) as store:
        finish(store=store)
    complete = path.read_bytes()
    path.write_bytes(complete[:-7])
    assert len(experiments.read(path)[0]) == 8
    with Store(path) as store:
        assert len(store.outcomes) == 8
        assert finish(store=store).reused == 8
    assert path.read_bytes() == complete


def test_a_file_of_something_else_is_not_touched(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear all,\nno results here.\n")
    with pytest.raises(DataError, match=r"line 1 of .* is not a result"), Store(path):
        pass
    assert path.read_text() == "Dear all,\nno results here.\n"


def test_two_processes_do_not_share_a_file(tmp_path):
    path = tmp_path / "results.jsonl"
    with Store(path) as store:
        with pytest.raises(DataError, match="in use: another process is adding results"), Store(path):
            pass
        store.settle()  # a new file takes the old one's place: it must be locked as well
        with pytest.raises(DataError, match="in use"), Store(path):
            pass
        finish(store=store)
    with Store(path) as again:
        assert len(again.outcomes) == 9


def test_a_settled_file_does_not_depend_on_the_order(tmp_path):
    outcomes = finish().outcomes
    for name, order in (("one", outcomes), ("two", outcomes[::-1])):
        with Store(tmp_path / name) as store:
            for each in order:
                store.add(each)
                store.note("tiny", {"command": "x"})
            store.settle()
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert not list(tmp_path.glob(".*"))


def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be opened for writing"), Store(tmp_path / "file" / "results.jsonl"):
        pass


def test_the_command_lists_runs_and_goes_on(tmp_path, capsys):
    assert main([]) == 0
    assert capsys.readouterr().out.count("\n") == len(experiments.EXPERIMENTS)
    path = tmp_path / "results.jsonl"
    command = ["bounds-epsilon", "--runs", "2", "--json", str(path)]
    assert main(command) == 0
    first, output = path.read_bytes(), capsys.readouterr().out
    assert "Theorem 2" in output
    assert main(command) == 0
    assert path.read_bytes() == first
    made = json.loads(first.splitlines()[0])
    assert made["command"] == "python -m privbo_core.experiments bounds-epsilon --runs 2"
    assert made["runs"] == 2
    assert made["numpy"]


def test_the_command_complains_in_sentences(tmp_path, capsys):
    path = tmp_path / "results.jsonl"
    for arguments, words in (
        (["table-99"], "there is no experiment 'table-99'"),
        (["table-1", "--runs", "0"], "runs is 0; it must be"),
        (["table-1", "--workers", "0"], "workers is 0; it must be at least 1"),
    ):
        assert main(arguments) == 2
        assert words in capsys.readouterr().err
    with Store(path):
        assert main(["bounds-epsilon", "--runs", "1", "--json", str(path)]) == 2
    assert "another process is adding results" in capsys.readouterr().err


def test_stopping_the_command_says_where_it_goes_on(tmp_path):
    path = tmp_path / "results.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "privbo_core.experiments", "table-4", "--runs", "100", "--json", path],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what runs in the background ignores Ctrl+C
    )  # fmt: skip
    while process.poll() is None and len(whole_lines(path)) < 2:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, complaints = process.communicate()
    assert process.returncode == 130
    assert "the same command goes on from there" in output
    assert "Traceback" not in complaints
