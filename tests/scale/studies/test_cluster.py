"""Studies on a real Dask cluster: the digits that this machine computes alone, whoever dies."""

import shutil
import subprocess
import sys
from concurrent.futures import CancelledError
from dataclasses import replace

import pytest
from threadpoolctl import threadpool_info

from privbo_core import experiments
from privbo_core.experiments import Arm, Experiment, Store, WorkerDiedError
from privbo_core.experiments.cluster import Cluster, ClusterAwayError, OtherEngineError
from tests.helpers.real_cluster import ROOT, real_cluster

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


def test_a_worker_that_is_killed_midway_changes_no_digit(cluster, tmp_path):
    """Two workers of two threads each; SIGKILL for one as soon as two pieces are in; the other does the rest."""
    workers = [cluster.worker(threads=2) for _ in range(2)]
    with Cluster(cluster.address) as executor, Store(tmp_path / "results.jsonl") as store:
        while executor.threads < 4:
            assert not any(worker.poll() for worker in workers)
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


def test_it_is_stopped_and_goes_on_elsewhere(cluster, tmp_path):
    cluster.worker()
    path = tmp_path / "results.jsonl"
    with Cluster(cluster.address) as executor, Store(path) as store:
        steps = experiments.run(TINY, executor=executor, store=store, ahead=2)
        for step in steps:
            if step.done >= 4:
                break
        steps.close()
    with Store(path) as store:
        last = finish(TINY, store=store)
    assert last.reused >= 4
    assert last.outcomes == finish(TINY).outcomes


def test_a_cluster_that_goes_away_is_a_sentence_and_what_came_back_is_kept(cluster, tmp_path):
    cluster.worker()
    path = tmp_path / "results.jsonl"
    with Cluster(cluster.address) as executor, Store(path) as store:
        steps = experiments.run(TINY, executor=executor, store=store, runs=60, ahead=2)
        while next(steps).done < 2:
            pass
        cluster.scheduler.kill()
        with pytest.raises(WorkerDiedError, match=r"cannot be reached any more\. \d+ of 90 pieces are finished and st"):
            list(steps)
        kept = len(store.outcomes)
    assert kept >= 2
    assert len(experiments.read(path)[0]) == kept
    with pytest.raises(ClusterAwayError, match="There is no Dask scheduler at tcp://"):
        Cluster(cluster.address, timeout=1)


def test_workers_may_come_late_and_a_problem_in_a_piece_is_told(cluster):
    broken = replace(TINY, arms=(Arm("broken", "bounds", BRIEF | {"epsilon": -1.0}),))
    with Cluster(cluster.address) as executor:
        assert executor.threads == 0
        steps = experiments.run(TINY, executor=executor)
        assert [next(steps).done for _ in range(3)] == [0, 0, 0]
        cluster.worker()
        *_, last = steps
        assert last.outcomes == finish(TINY).outcomes
        with pytest.raises(ValueError, match=r"epsilon is -1\.0"):
            finish(broken, executor=executor)


def test_another_engine_on_a_worker_is_named(cluster, tmp_path):
    other = tmp_path / "other"
    for folder in ("privbo_core", "sample_data"):
        shutil.copytree(ROOT / folder, other / folder, ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "privbo_core" / "bo" / "rules.py").open("a") as file:
        file.write("# another\n")
    cluster.worker(engine=other)
    with Cluster(cluster.address) as executor, pytest.raises(OtherEngineError, match="differ in the sources of privbo"):
        finish(TINY, executor=executor)


def test_a_worker_without_the_engine_is_told_how_to_install_it(cluster):
    cluster.worker(engine=None)
    with (
        Cluster(cluster.address) as executor,
        pytest.raises(WorkerDiedError, match=r"lacks privbo_core: .* pip install \.\[studies\]"),
    ):
        finish(TINY, executor=executor)


def test_what_is_cancelled_before_it_begins_stays_undone(cluster):
    with Cluster(cluster.address) as executor:
        future = executor.submit(abs, -3)  # no worker yet
        assert future.cancel()
        with pytest.raises(CancelledError):
            future.result()
        cluster.worker()
        assert executor.submit(abs, -3).result() == 3


def test_one_blas_thread_however_many_threads_a_worker_has(cluster):
    cluster.worker(threads=4)
    with Cluster(cluster.address) as executor:
        finish(TINY, executor=executor)
        known = executor.submit(threadpool_info).result()
    assert {each["num_threads"] for each in known if each["user_api"] == "blas"} == {1}


def test_the_command_on_a_cluster_writes_the_file_that_it_writes_alone(tmp_path):
    files = {}
    for name, more in (("cluster", ["--local-cluster", "2"]), ("alone", [])):
        path = tmp_path / name
        command = ["bounds-epsilon", "--runs", "1", "--json", str(path), *more]
        done = subprocess.run(
            [sys.executable, "-m", "privbo_core.experiments", *command], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        files[name] = path.read_bytes()
    assert files["cluster"] == files["alone"]
