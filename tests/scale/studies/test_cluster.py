"""Experiments on a real Dask cluster give the numbers of this machine, and lost machines end in a sentence."""

import os
import re
import shutil
from concurrent.futures import BrokenExecutor, CancelledError
from dataclasses import replace

import pytest
from threadpoolctl import threadpool_info

from privbo_core import about, experiments
from privbo_core.experiments import Arm, Experiment, Store, WorkerDiedError
from privbo_core.experiments.__main__ import main
from privbo_core.experiments.cluster import DaskExecutor
from tests.helpers.paths import ROOT
from tests.helpers.real_cluster import real_cluster

STUDY = experiments.find("branin")
BRIEF = dict(epsilon=1.0, iterations=5, candidates=20, delta=1e-3, sigma=0.1, k1=0.9, a=3.0, draws=5)  # noqa: C408
ARMS = tuple(Arm(f"T = {T}", "bounds", BRIEF | {"iterations": T}) for T in (3, 5, 8))
TINY = Experiment("tiny", "t", "p", "about", ARMS, runs=6, piece=2)


@pytest.fixture
def cluster(tmp_path):
    with real_cluster(tmp_path) as found:
        yield found


def finish(experiment, **options):
    *_, last = experiments.run(experiment, **options)
    return last


def test_the_run_finishes_when_a_worker_is_killed(cluster, tmp_path):
    """Kill one of two workers of two threads each when two pieces are finished. The numbers do not change."""
    workers = [cluster.worker(threads=2) for _ in range(2)]
    with DaskExecutor(cluster.address) as executor, Store(tmp_path / "results.jsonl") as store:
        executor.client.wait_for_workers(2, timeout=60)
        killed = False
        for step in experiments.run(STUDY, executor=executor, store=store, ahead=6):
            if step.done >= 2 and not killed:
                assert step.done < step.total
                workers[0].kill()
                killed = True
        assert killed
        assert workers[1].poll() is None
    found, _ = experiments.read(tmp_path / "results.jsonl")
    alone = finish(STUDY).outcomes
    assert found == {each.key: each for each in alone}
    assert [each.as_json() for each in step.outcomes] == [each.as_json() for each in alone]


def test_a_stopped_run_resumes_elsewhere(cluster, tmp_path):
    cluster.worker()
    path = tmp_path / "results.jsonl"
    with DaskExecutor(cluster.address) as executor, Store(path) as store:
        steps = experiments.run(TINY, executor=executor, store=store, ahead=2)
        for step in steps:
            if step.done >= 4:
                break
        steps.close()
    with Store(path) as store:
        last = finish(TINY, store=store)
    assert last.reused >= 4
    assert last.outcomes == finish(TINY).outcomes


def test_a_killed_scheduler_breaks_the_executor(cluster, tmp_path):
    cluster.worker()
    path = tmp_path / "results.jsonl"
    with DaskExecutor(cluster.address) as executor, Store(path) as store:
        steps = experiments.run(TINY, executor=executor, store=store, runs=60, ahead=2)
        while next(steps).done < 2:
            pass
        waiting = executor.submit(pow, 2, 10**7)
        cluster.scheduler.kill()
        with pytest.raises(WorkerDiedError, match=r"cannot be reached any more\. \d+ of 90 pieces are finished"):
            list(steps)
        with pytest.raises(BrokenExecutor, match="cannot be reached any more"):
            waiting.result(timeout=60)
        with pytest.raises(BrokenExecutor, match="cannot be reached any more"):
            executor.submit(abs, -3)
        stored = len(store.outcomes)
    assert stored >= 2
    assert len(experiments.read(path)[0]) == stored
    with pytest.raises(BrokenExecutor, match="No Dask scheduler answers at tcp://"):
        DaskExecutor(cluster.address, timeout=1)


def test_workers_may_join_late_and_errors_are_passed_on(cluster):
    broken = replace(TINY, arms=(Arm("broken", "bounds", BRIEF | {"epsilon": -1.0}),))
    with DaskExecutor(cluster.address) as executor:
        steps = experiments.run(TINY, executor=executor)
        assert [next(steps).done for _ in range(3)] == [0, 0, 0]
        cluster.worker()
        *_, last = steps
        assert last.outcomes == finish(TINY).outcomes
        with pytest.raises(ValueError, match=r"epsilon is -1\.0"):
            finish(broken, executor=executor)


def test_a_worker_with_another_version_is_refused(cluster, tmp_path):
    other = tmp_path / "other"
    for folder in ("privbo_core", "sample_data"):
        shutil.copytree(ROOT / folder, other / folder, ignore=shutil.ignore_patterns("__pycache__"))
    path = other / "privbo_core" / "about.py"
    path.write_text(path.read_text().replace(about.VERSION, "1.2.3"))
    cluster.worker(engine=other)
    said = rf"has PrivBO 1\.2\.3\. Every worker needs PrivBO {re.escape(about.VERSION)}"
    with DaskExecutor(cluster.address) as executor, pytest.raises(WorkerDiedError, match=said):
        finish(TINY, executor=executor)


def test_a_worker_without_the_engine_is_explained(cluster):
    cluster.worker(engine=None)
    said = r"No module named 'privbo_core'\. .* pip install \.\[scale\]"
    with DaskExecutor(cluster.address) as executor, pytest.raises(WorkerDiedError, match=said):
        finish(TINY, executor=executor)


def test_a_piece_that_kills_its_workers_is_given_up(cluster):
    for _ in range(4):
        cluster.worker()
    with DaskExecutor(cluster.address) as executor:
        executor.client.wait_for_workers(4, timeout=60)
        with pytest.raises(BrokenExecutor, match="worker"):
            executor.submit(os._exit, 1).result(timeout=120)


def test_a_cancelled_call_is_not_computed(cluster):
    with DaskExecutor(cluster.address) as executor:
        future = executor.submit(abs, -3)  # There is no worker yet.
        assert future.cancel()
        with pytest.raises(CancelledError):
            future.result()
        cluster.worker()
        assert executor.submit(abs, -3).result(timeout=60) == 3


def test_each_piece_uses_one_blas_thread(cluster):
    cluster.worker(threads=4)
    with DaskExecutor(cluster.address) as executor:
        finish(TINY, executor=executor)
        known = executor.submit(threadpool_info).result(timeout=60)
    assert {each["num_threads"] for each in known if each["user_api"] == "blas"} == {1}


def test_the_command_writes_the_same_file_on_a_cluster(cluster, tmp_path, capsys):
    cluster.worker()
    files = {}
    for name, options in (("cluster", ["--scheduler", cluster.address]), ("alone", [])):
        path = tmp_path / name
        assert main(["bounds-epsilon", "--runs", "1", "--json", str(path), *options]) == 0
        files[name] = path.read_bytes()
    assert files["cluster"] == files["alone"]
    cluster.scheduler.kill()
    cluster.scheduler.wait()
    assert main(["bounds-epsilon", "--scheduler", cluster.address]) == 2
    assert "No Dask scheduler answers" in capsys.readouterr().err
