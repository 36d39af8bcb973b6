"""What results are made with: told apart where machines round otherwise, kept with each result, and said."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from numpy._core import _multiarray_umath as machine

from privbo_core import arithmetic, experiments
from privbo_core.errors import DataError
from privbo_core.experiments.__main__ import main
from privbo_core.experiments.cluster import OtherEngineError, this_engine
from privbo_core.experiments.cluster.executor import open_order, order
from tests.helpers.paths import ROOT

HERE, OTHER = arithmetic.fingerprint(), "0123abcd"
COMPUTED = """
import hashlib, math, numpy as np
from scipy import linalg, special
from threadpoolctl import threadpool_limits
from privbo_core import arithmetic
print(arithmetic.fingerprint())
with threadpool_limits(1):
    x = np.linspace(0.1, 3.0, 40_000)
    kernel = np.exp(-np.abs(x[:200, None] - x[:200])) + np.eye(200)
    found = linalg.cho_factor(kernel)[0], kernel @ kernel, np.log(x), x**1.3, special.ndtr(x), np.argsort(x // 0.1 % 3)
print(hashlib.sha256(b"".join(each.tobytes() for each in found)).hexdigest())
"""


def elsewhere(**environment):
    """Return the fingerprint of a process, and what else it computes."""
    done = subprocess.run(
        [sys.executable, "-c", COMPUTED], env={**os.environ, **environment}, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout.split()


def test_another_fingerprint_where_results_have_other_bits_and_the_same_whatever_the_threads():
    dispatched = " ".join(name for name in machine.__cpu_dispatch__ if machine.__cpu_features__.get(name))
    alike, *others = [
        elsewhere(OPENBLAS_NUM_THREADS="1", PYTHONHASHSEED="7", TZ="Pacific/Auckland"), elsewhere(),
        elsewhere(OPENBLAS_CORETYPE="Haswell"), elsewhere(NPY_DISABLE_CPU_FEATURES=dispatched),
    ]  # fmt: skip
    assert (alike, alike[0]) == (others[0], HERE)
    for mark, bits in others:
        assert bits == alike[1] or mark != HERE


@pytest.mark.parametrize(
    ("marks", "named"),
    [([], ""), ([HERE, arithmetic.UNKNOWN], ""), ([HERE, OTHER], f"({OTHER}; here {HERE})"),
     ([f"0000000{k}" for k in range(5)], "00000000, 00000001, 00000002 and 2 more; here")],
)  # fmt: skip
def test_arithmetic_of_elsewhere_is_one_sentence(marks, named):
    said = arithmetic.elsewhere(marks)
    assert named in said
    assert bool(said) == bool(named) == ("agree within rounding" in said)


@pytest.mark.parametrize(
    ("changed", "said"),
    [({}, ""), ({"arithmetic": OTHER}, f"other arithmetic ({OTHER}"),
     ({"Python": "3.1.9"}, "Made with Python 3.1.9 (here"),
     ({"numpy": "1.0", "arithmetic": OTHER}, "Made with numpy 1.0 (here")],
)  # fmt: skip
def test_what_was_made_elsewhere_says_so_in_one_sentence(changed, said, capsys):
    own = arithmetic.made_with()
    arithmetic.as_made({**own, "Python": f"{own['Python'].rpartition('.')[0]}.99", **changed})
    output, complaint = capsys.readouterr()
    assert not output
    assert said in complaint
    assert complaint.count("\n") == bool(said)


def test_a_file_keeps_the_arithmetic_of_each_piece_and_none_is_known_of_earlier_ones(tmp_path, capsys):
    path = tmp_path / "results.jsonl"
    command = ["bounds-epsilon", "--runs", "1", "--json", str(path)]
    assert main([*command, "--same-digits"]) == 0
    written, said = path.read_text(), capsys.readouterr().out
    outcomes, _ = experiments.read(path)
    assert {each.arithmetic for each in outcomes.values()} == {HERE}
    for mark, reason in ((OTHER, f"have other arithmetic ({OTHER})"), ("", "do not say their arithmetic")):
        earlier = written.replace(f',"arithmetic":"{HERE}"', f',"arithmetic":"{mark}"' if mark else "", 1)
        path.write_text(earlier)
        assert experiments.read(path)[0] == outcomes, "the numbers are the same"
        assert main([*command, "--same-digits"]) == 2
        assert reason in capsys.readouterr().err
        assert (main(command), path.read_text()) == (0, earlier)
        assert capsys.readouterr().out == said + (f"{arithmetic.elsewhere([mark])}\n" if mark else "")


@pytest.mark.parametrize("mark", ["<b>", "0123ABCD", "0123abcde", 7, None, ["0123abcd"]])
def test_what_is_no_fingerprint_is_refused(mark, tmp_path):
    said = {"experiment": "x", "arm": "a", "digest": "1", "first": 0, "measures": {"m": [1]}, "arithmetic": mark}
    (tmp_path / "results.jsonl").write_text(json.dumps(said) + "\n")
    with pytest.raises(DataError, match="line 1 of"):
        experiments.read(tmp_path / "results.jsonl")


def test_a_machine_with_other_arithmetic_says_which_or_refuses_where_digits_count(monkeypatch):
    sent, strict = order(abs, (-3,)), order(abs, (-3,), same_digits=True)
    assert open_order(sent) == open_order(strict) == (HERE, 3)
    there = replace(this_engine(), arithmetic=OTHER)
    monkeypatch.setattr("privbo_core.experiments.cluster.executor.this_engine", lambda: there)
    assert open_order(sent) == (OTHER, 3)
    with pytest.raises(OtherEngineError, match=f"other arithmetic \\({HERE} here, {OTHER} there\\)"):
        open_order(strict)
    there = replace(there, packages=())
    with pytest.raises(OtherEngineError, match=r"numpy \(.* here, none there\)"):
        open_order(sent)
