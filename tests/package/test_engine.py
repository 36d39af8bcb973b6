"""The engine in an environment that has what it asks for and nothing else: no Streamlit, no scikit-learn, no Flower."""

import json

import pytest

import privbo_core
from tests.helpers.environments import environment

WHOLE = """
import importlib, json, pkgutil, sys
import privbo_core as pb
from privbo_core import *
at_once = sorted(sys.modules)
said = {}
for module in pkgutil.walk_packages(pb.__path__, "privbo_core.", onerror=lambda name: None):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except (ImportError, pb.DataError) as missing:
            said[module.name] = str(missing)
print(json.dumps([pb.__file__, at_once, said, pb.__version__]))
"""
SAMPLES = """
import numpy as np
import privbo_core as pb
for name in pb.data.SAMPLES:
    assert len(pb.data.sample(name).points) > 100
assert len(pb.data.tuning_task("svm").parameters) == 400
assert len(pb.federated.grades().objectives) == 237
assert len(pb.federated.schools().objectives) == 98
points = pb.data.sample("hospital").points
release = pb.outsourced.publish_noisy(points, 1.0, 1e-6, bounds=(-9, 9), protected_distance=1.0)
print(len(release.Z))
"""
OUTSIDE = "streamlit plotly jinja2 sklearn optuna flwr distributed dask pages app privbo_app"
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def made(wheel, tmp_path_factory):
    return environment(tmp_path_factory.mktemp("engine"), wheel)


def test_it_asks_for_all_that_it_needs(made):
    checked = made.pip("check")
    assert checked.returncode == 0, checked.stdout
    found = {path.name.split("-")[0] for path in made.site.glob("*.dist-info")}
    assert {"privbo", "numpy", "opendp"} <= found
    assert not {"streamlit", "plotly", "scikit_learn", "optuna", "flwr"} & found


def test_importing_it_loads_no_screen_and_no_optional_engine(made):
    done = made.run("python", "-c", WHOLE)
    assert done.returncode == 0, done.stderr
    file, at_once, said, version = json.loads(done.stdout)
    assert file.startswith(str(made.site))
    assert version == privbo_core.__version__
    assert not {*OUTSIDE.split()} & {name.split(".")[0] for name in at_once}
    assert {"privbo_core.optuna", "privbo_core.sklearn", "privbo_core.federated.flower"} <= set(said)
    assert all("pip install" in sentence for sentence in said.values()), said
    assert not made.opened()


def test_its_samples_are_there(made):
    done = made.run("python", "-c", SAMPLES)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1000


def test_its_commands_are_there(made):
    assert "--workers" in made.run("python", "-m", "privbo_core.experiments", "--help").stdout
    assert made.run("privbo", "--version").stdout.strip() == f"PrivBO {privbo_core.__version__}"


def test_without_the_app_s_packages_the_command_says_how_to_have_them(made):
    done = made.run("privbo", "--server.port", "8502")
    assert done.returncode == 2
    assert not done.stdout
    (sentence,) = done.stderr.splitlines()
    assert sentence.endswith("pip install 'privbo[app]'")
    assert "streamlit" in sentence
    assert not list(made.folder.iterdir())
