"""A holder who is killed at any point: the ledger can be read, understates nothing, loses and repeats no answer."""

import json
import os
import shutil
import stat
import subprocess
import sys
from itertools import count

import pytest

from privbo_core.errors import DataError
from privbo_core.outsourced import FileStore, MemoryStore
from tests.helpers.holding import PRIVATE, held, in_file, released
from tests.helpers.killing import ACTS, KILLED, RIGHT, ROW, WRONG, at_point, before, drawing
from tests.helpers.paths import ROOT

LEAST = {"release": 60, "another release": 60, "answer": 30, "exact answer": 20, "correction": 20}
"""How many points there are in an act, or the test looks at nothing."""


class Interrupted(BaseException):
    """What takes a holder away in the middle, and passes by everything that mends failures."""


def interrupt():
    raise Interrupted


def judge(act, store, earlier, told, curator):
    """Hold the ledger against what was told before the end came, and go on."""
    ledger = store.read()
    drawn = ["drawn"] in told
    handed_out = [what[1] for what in told if what != ["drawn"]]
    assert ledger.answers[: len(earlier.answers)] == earlier.answers
    assert len(ledger.releases) >= len(earlier.releases)
    for kept, was in zip(ledger.releases, earlier.releases, strict=False):
        assert (kept.csv, kept.order.tolist()) == (was.csv, was.order.tolist())
    if "release" in act:
        judge_release(ledger, earlier, drawn, handed_out, curator)
    else:
        judge_answer(act, ledger, earlier, handed_out, curator)
    for answer in earlier.answers[:1]:  # whatever came in between, it is told again as it was
        assert curator.answer(answer.row, 0.0 if answer.exact is False else None, release=1).value == answer.value


def judge_release(ledger, earlier, drawn, handed_out, curator):
    begun = ledger.releases[len(earlier.releases) :]
    assert len(begun) <= 1
    assert drawn <= len(begun)  # no noise that does not count
    assert handed_out in ([], [each.csv for each in begun])
    if begun:
        costs = [earlier.after_release(1.0, 1e-5, begun[0].frame), ledger.cost()]
        assert costs[1].inputs == pytest.approx(costs[0].inputs, rel=1e-12)
    after = len(ledger.releases)
    if after:
        with pytest.raises(DataError, match="was released before"):
            released(curator)
    package = released(curator, again=True, private=PRIVATE)
    assert package.release == after + 1
    assert curator.ledger.cost().inputs >= ledger.cost().inputs
    for each in ledger.finished:  # what was handed out can still be asked of
        assert curator.find(ROW, release=each.release).record == each.order[ROW - 1]


def judge_answer(act, ledger, earlier, handed_out, curator):
    assert len(ledger.releases) == len(earlier.releases)
    more = ledger.answers[len(earlier.answers) :]
    assert len(more) <= 1
    assert handed_out in ([], [each.value for each in more])
    if act == "correction":
        again = curator.correct(ROW, RIGHT, release=1)
        assert again.value == RIGHT
        assert [each.value for each in curator.ledger.answers[-2:]] == [WRONG, RIGHT]
    elif act == "exact answer":
        assert (again := curator.answer(ROW, WRONG, release=1)).value == WRONG
    else:
        again = curator.answer(ROW, RIGHT, release=1)
    assert again.repeated is bool(more)
    assert [again.value] == [each.value for each in more] or not more
    assert len(curator.ledger.answers) == len(earlier.answers) + 1
    assert curator.answer(ROW, release=1).value == again.value


def only_the_ledger(folder):
    """Hold what lies beside the ledger to be its owner's alone, and no more than a lock and one unfinished copy."""
    beside = [path for path in folder.iterdir() if path.name != "ledger.json"]
    assert all(path.stat().st_mode & 0o077 == 0 for path in beside)
    assert sorted(path.suffix for path in beside) in ([], [".lock"], [".lock", ".part"])


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """Return a folder for each act, in it one for each point at which a process was killed, and what each told."""
    folder = tmp_path_factory.mktemp("killed")
    for act in KILLED:
        (folder / act).mkdir()
        before(act, folder / act / "ledger.json")
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.killing", folder], cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
@pytest.mark.parametrize("act", KILLED)
def test_a_process_killed_at_every_point(killed, act):
    earlier = FileStore(killed / act / "ledger.json").read()
    found = json.loads((killed / act / "told.json").read_text())
    assert [each["killed"] for each in found] == [True] * (len(found) - 1) + [False]
    assert len(found) > LEAST[act]
    assert found[-1]["told"][-1][0] in ("release", "answer")
    left = 0
    for each in found:
        own = killed / act / str(each["point"])
        left += len(list(own.glob(".*.part")))
        only_the_ledger(own)
        judge(act, FileStore(own / "ledger.json"), earlier, each["told"], in_file(own / "ledger.json"))
        assert not list(own.glob(".*.part"))  # whoever goes on clears it away
    assert left  # some were killed in the middle of writing


@pytest.mark.parametrize(
    ("act", "where"),
    [
        ("release", "file"),
        ("answer", "file"),
        *((act, "memory") for act in ("another release", "exact answer", "correction")),
    ],
)
def test_a_holder_interrupted_at_every_point_who_goes_on(tmp_path, act, where):
    path = tmp_path / "ledger.json"
    before(act, path)
    earlier = FileStore(path).read()
    for point in count(1):
        own = tmp_path / f"{point}.json"
        if path.exists():
            shutil.copy(path, own)
        store = FileStore(own) if where == "file" else MemoryStore(path.read_bytes() if path.exists() else b"")
        curator, told = held(store=store), []
        try:
            with drawing(lambda *what: told.append(list(what))), at_point(point, interrupt):  # noqa: B023
                handed = ACTS[act](curator)
            told.append(list(handed))
            ended = True
        except Interrupted:
            ended = False
        judge(act, store, earlier, told, curator)
        if ended:
            break
    assert point > LEAST[act] / 2
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.parametrize("act", ACTS)
def test_what_is_handed_out_is_on_the_disk(tmp_path, monkeypatch, act):
    """Not only written: the ledger's bytes are brought to the disk before its name is, and its name before the answer.

    So it is there after a power cut, too, for which no test can wait.
    """
    path, done = tmp_path / "ledger.json", []
    before(act, path)
    real = os.fsync, os.replace

    def fsync(handle):
        what = os.fstat(handle)
        done.append("folder" if stat.S_ISDIR(what.st_mode) else what.st_size)
        real[0](handle)

    def replace(source, target):
        done.append(("replace", os.stat(source).st_size))
        real[1](source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    ACTS[act](in_file(path))
    writes = [done[start : start + 3] for start in range(0, len(done), 3)]
    assert len(writes) == (2 if "release" in act else 1)
    for size, replaced, folder in writes:
        assert replaced == ("replace", size)
        assert folder == "folder"
    assert writes[-1][0] == path.stat().st_size


WITHOUT_LOCKS = """
import sys, time
sys.modules["fcntl"] = None
sys.path[:0] = [sys.argv[1]]
from privbo_core.errors import DataError
from tests.helpers.holding import in_file
rows = [*range(1, 6)]
while rows:
    try:
        print(rows[-1], in_file(sys.argv[2]).answer(rows[-1]).value)
        rows.pop()
    except DataError as fault:
        assert "in use by another program" in str(fault), fault
        time.sleep(0.002)
"""


def test_two_programs_at_one_ledger_are_safe_where_the_system_has_no_locks(tmp_path):
    path = tmp_path / "ledger.json"
    released(in_file(path), private=PRIVATE)
    words = [sys.executable, "-c", WITHOUT_LOCKS, str(ROOT), str(path)]
    both = [subprocess.Popen(words, stdout=-1, stderr=-1, text=True) for _ in range(2)]
    said = [other.communicate() for other in both]
    assert [other.returncode for other in both] == [0, 0], said
    assert said[0][0] == said[1][0], "the two were told different answers"
    assert len(FileStore(path).read().answers) == 5
