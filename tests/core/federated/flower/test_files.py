"""The files of a federation: what is public, an agent's own, the server's. Bad ones get a sentence."""

import json
import math
import os
import subprocess
import sys
import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.errors import DataError
from privbo_core.federated.flower import __main__ as cli
from privbo_core.federated.flower.ledger import Count, open_book, read_ledger
from privbo_core.federated.flower.member import Member, NoNumberError, Own, own
from privbo_core.federated.flower.terms import read_terms
from tests.helpers.refusing import refusals
from tests.helpers.small_terms import Crowd, terms, written


def test_settings_are_read_as_they_are_written_on_a_grid_or_one_by_one(tmp_path):
    found = terms(tmp_path, centre=5.0, scale=2.0)
    assert (found.names, found.table.shape, found.setting(0)) == (("a", "b"), (120, 2), {"a": -1.0, "b": 0.0})
    assert (found.points.min(), found.points.max()) == (0.0, 1.0)
    assert (found.settings.z, found.settings.P, found.settings.S, found.settings.calibration) == (1.0, 2, 2.0, "exact")
    assert (found.agents, found.delta, found.budget, found.centre, found.scale) == (4, 0.001, math.inf, 5.0, 2.0)
    _, rest = written(tmp_path).read_text().split("[model]")
    listed = "points = [[1.0, 5.0], [2.0, 6.0], [3.0, 5.5], [4.0, 9.0], [5.0, 7.0], [6.0, 8.0]]\n"
    (tmp_path / "listed.toml").write_text(f'{listed}[[inputs]]\nname = "x"\n[[inputs]]\nname = "y"\n[model]{rest}')
    found = read_terms(tmp_path / "listed.toml")
    assert found.setting(3) == {"x": 4.0, "y": 9.0}
    np.testing.assert_allclose(found.points[3], [0.6, 1.0])


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[model]", "[model", "not a TOML file that can be read"), ("[time]", "[pace]", "has the key 'pace'"),
        ("lengthscale = 0.3", "", "lacks the key 'lengthscale'"),
        ("lengthscale = 0.3", "lengthscale = -1", "lengthscale is -1"),
        ("lengthscale = 0.3", 'lengthscale = "long"', "must be a number"),
        ('"squared exponential"', '"linear"', "must be one of 'squared exponential', 'matern 5/2'"),
        ("z = 1.0", "", "either epsilon"), ("z = 1.0", "z = 1.0\nepsilon = 2.0", "either epsilon"),
        ("z = 1.0", "epsilon = -2.0", "epsilon is -2.0"), ("z = 1.0", "z = nan", "must be a number between"),
        ("q = 0.5", "q = 1.5", "q is 1.5"), ("delta = 0.001", "delta = 2.0", "above 0 and below 1"),
        ("agents = 4", "agents = 1", "at least 2"), ("regions = 2", "regions = 3", "P must be one of"),
        ("levels = 12", "levels = 1", "whole number from 2"), ("levels = 12", "levels = 19000", "combinations"),
        ("low = -1.0", "low = 3.0", "low must be below high"), ('name = "b"', 'name = "a"', "different names"),
        ("round = 1", "round = 0", "must be a number above 0"), ("scale = 1.0", "scale = 0.0", "scale of .* is 0.0"),
        ("budget = inf", "budget = 0", "budget of .* is 0"), ("budget = inf", "budget = nan", "budget of .* is nan"),
    ],
)  # fmt: skip
def test_bad_settings_get_a_sentence(tmp_path, old, new, sentence):
    path = written(tmp_path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ValueError, match=sentence) as fault:
        _ = read_terms(path).shared
    assert "\n" not in str(fault.value)


def value(folder, **given):
    """Return what an agent's own function or command makes of a setting."""
    return own({"agent": 0, "folder": str(folder), **given}, 4).evaluate({"a": 1.5, "b": 2.0})


def function(folder, source):
    """Write a module of its own for a function; return what names it."""
    module = f"mine_{abs(hash((folder, source)))}"
    (folder / f"{module}.py").write_text(f"def score(setting):\n    {source}\n")
    return f"{module}:score"


def test_an_objective_is_a_function_or_a_command(tmp_path):
    assert value(tmp_path, objective=function(tmp_path, "return setting['a'] * 2")) == 3.0
    (tmp_path / "program.py").write_text("import sys\nprint('…', sys.argv[2])\nprint(sys.argv[1].split('=')[1])")
    assert value(tmp_path, command=f"{sys.executable} program.py") == 1.5
    assert str(tmp_path) not in sys.path


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("return None", "gave None"),
        ("return 'much'", "gave 'much'"),
        ("return float('nan')", "gave nan"),
        ("return True", "gave True"),
        ("return 1e200", "no number that can be used"),
        ("return [1, 2]", "no number"),
        ("return 1 / 0", "ZeroDivisionError"),
        ("raise SystemError('gone')", "SystemError: gone"),
    ],
)
def test_a_function_that_gives_no_number_is_garbage(tmp_path, source, why):
    with pytest.raises(NoNumberError, match=why):
        value(tmp_path, objective=function(tmp_path, source))


@pytest.mark.parametrize(
    ("line", "why"),
    [("true", "gave 'nothing'"), ("echo", "gave 'b=2.0'"), ("false", "code 1"), ("no-such-program-here", "end well"),
     (f"{sys.executable} -c 'import time; time.sleep(60)'", "timed out")],
)  # fmt: skip
def test_a_command_that_prints_no_number_is_garbage(tmp_path, line, why):
    with pytest.raises(NoNumberError, match=why):
        value(tmp_path, command=line, seconds=0.5)


test_a_bad_agent_file_gets_a_sentence = refusals(
    ({}, "lacks the key 'agent'"), ({"agent": 4, "command": "true"}, "from 0 to 3"),
    ({"agent": 0}, "either objective"),
    ({"agent": 0, "command": "true", "objective": "a:b"}, "either objective"),
    ({"agent": 0, "objective": "score"}, "module:function"), ({"agent": 0, "command": ""}, "command is empty"),
    ({"agent": 0, "command": "true", "seed": 1}, "has the key 'seed'"),
    act=lambda config: own(config, 4),
    error=DataError,
)  # fmt: skip


def test_an_agent_goes_on_from_its_notebook_and_an_agent_publishes_its_regret_only_if_it_says_what_is_best(tmp_path):
    found = terms(tmp_path)
    values = pb.gp.prior_draws(found.points, found.settings.kernel, 4, np.random.default_rng(1))
    crowd = Crowd(found, tmp_path, values)
    crowd.ask(0, None)
    crowd.broken = {2}
    for _ in range(2):  # the same message once more: nothing is tried twice
        crowd.ask(1, np.zeros((2, 20)))
    assert crowd.calls == [4, 4, 3, 4]
    notebook = tmp_path / "2.jsonl"
    lines = [json.loads(line) for line in notebook.read_text().splitlines()]
    assert [line.get("outcome") is None for line in lines[1:]] == [False] * 3 + [True]
    assert lines[-1]["why"] == "a broken machine"
    if os.name == "posix":
        assert notebook.stat().st_mode & 0o077 == 0
    with notebook.open("a") as file:
        file.write('{"run": "1", "t": 2, "ro')  # cut off by a power failure
    crowd.broken = set()
    answer = Member(found, crowd.owns[2]).turn("1", 2, np.zeros((2, 20)))
    assert not answer.garbage
    assert np.linalg.norm(answer.vector) <= 2.0 / math.sqrt(2) * (1 + 1e-12)
    assert len(notebook.read_text().splitlines()) == 6
    # Another domain's notebook is refused.
    with pytest.raises(DataError, match="another domain"):
        Member(terms(tmp_path, centre=1.0), crowd.owns[2]).turn("1", 3, None)
    found = terms(tmp_path, centre=10.0, scale=4.0)
    for best, expected in ((None, None), (15.0, 2.0)):
        mine = Own(1, lambda setting: 13.0, tmp_path / f"{best}.jsonl", best)
        assert [Member(found, mine).turn("1", t, None).regret for t in (0, 1)][1] == expected
    _, first, *_ = (tmp_path / "None.jsonl").read_text().splitlines()
    assert json.loads(first)["outcome"] == 0.75  # centred and scaled as all agreed


def a_ledger(folder):
    found = terms(folder, rounds=3)
    with open_book(folder / "ledger.jsonl", found) as book:
        for t in (1, 2):
            book.broadcast(Count(t, book.after_one_more(), 4, 3, 1, 2, 0.5, 3.0, 7.0, (0.5, 2.0)))
            book.outcomes(t, [1.0, 2.0] if t == 1 else [])
        book.end("done")
    return folder / "ledger.jsonl"


def test_a_ledger_comes_back_as_it_was_written(tmp_path):
    path = a_ledger(tmp_path)
    (found,) = read_ledger(path.read_bytes())
    assert (found.agents, found.q, found.z, found.names, found.budget) == (4, 0.5, 1.0, ("a", "b"), math.inf)
    assert [count.regret for count in found.counts] == [1.5, None]
    assert found.counts[1].epsilon == pb.privacy.epsilon(0.5, 1.0, 2, 0.001, "pld")
    assert read_ledger(path.read_bytes() + b'{"kind": "rou') == (found,)
    names = {key for line in path.read_text().splitlines() for key in json.loads(line)}
    assert not names & {"who", "numbers", "nodes", "vectors"}  # never says who took part


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"kind": "run"', '"kind": "walk"', "does not begin with a run"),
        ('"version": 2', '"version": 3', "update the program"),
        ("federated ledger", "ledger of mine", "The file's format"),
        ('"agents": 4', '"agents": 0', "whole number from 1"),
        ('"answered": 3', '"answered": 30', "more agents than the 4"),
        ('"t": 2, "eps', '"t": 5, "eps', "round 2 was next"),
        ('"epsilon": 2', '"epsilon": -2', "can only grow"), ('"noise": 7.0', '"noise": NaN', "must be finite"),
        ('"noise": 7.0', '"noise": 1e400', "must be finite"),
        ('"clipped": 0.5', '"clipped": 5', "at least 0 and at most 1"),
        ('"promised": [0.5, 2.0]', '"promised": [0.5]', "there are 2"),
        ('"promised": [0.5, 2.0]', '"promised": 3', "must be a list"),
        ('"why": "done"', '"why": "tired"', "one of 'done', 'budget'"),
        ('{"kind": "end"', '{"kind": "round"', "lacks the key|has the key"),
        ('"q": 0.5', '"q": 0.5, "q": 0.6', "twice in one place"),
        ('"delta": 0.001', '"delta": [[[[1]]]]', "must be a number"),
    ],
)  # fmt: skip
def test_a_hostile_ledger_gets_one_sentence(tmp_path, old, new, sentence):
    text = a_ledger(tmp_path).read_text()
    assert old in text
    with pytest.raises(DataError, match=sentence) as fault:
        read_ledger(text.replace(old, new, 1).encode())
    assert "\n" not in str(fault.value)


@pytest.fixture(scope="module")
def head(tmp_path_factory):
    """The first line of a ledger."""
    return a_ledger(tmp_path_factory.mktemp("head")).read_bytes().splitlines(keepends=True)[0]


@given(st.binary(max_size=300), st.binary(max_size=40), st.integers(0, 300))
def test_bytes_of_any_kind_are_a_ledger_or_a_sentence(head, start, more, place):
    for data in (start, start + b"\n", head[:place] + more + head[place:], head + start + b"\n"):
        try:
            assert read_ledger(data)
        except DataError as fault:
            assert "\n" not in str(fault)  # noqa: PT017


def test_the_folder_to_start_from_says_what_it_promises(tmp_path, capsys):
    new = tmp_path / "new"
    cli.main(["app", str(new), "--port", "8123"])
    cli.main(["check", str(new)])
    assert "hidden with ε = 4 at δ = 0.001" in capsys.readouterr().out
    assert "127.0.0.1:8123" in (new / "home" / "config.toml").read_text()
    assert own(tomllib.loads((new / "agent" / "agent.toml").read_text()), 200).number == 0
    with pytest.raises(DataError, match="already"):
        cli.write_folder(new)
    assert cli.main(["check", str(tmp_path / "nowhere")]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_without_flower_there_is_a_sentence(tmp_path):
    """The engine, the settings and the ledger do without; the app says what to install."""
    (tmp_path / "flwr").mkdir()
    (tmp_path / "flwr" / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'flwr'\", name='flwr')")
    code = "import privbo_core.federated.flower.__main__\n"
    code += "from privbo_core.federated.flower.apps import server_app\nserver_app('federation.toml')"
    path = os.pathsep.join([str(tmp_path), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip().endswith("Flower is not installed here; `pip install .[federated]` installs it.")
