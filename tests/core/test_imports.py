"""What importing the engine loads: only what is used, and none of the optional tools."""

import subprocess
import sys

import pytest

import privbo_core
from tests.helpers.paths import ROOT

STAGES = """
import sys
def absent(*names):
    assert not set(names) & set(sys.modules), set(names) & set(sys.modules)
from privbo_core import gp
absent("pandas", "privbo_core.outsourced")
from privbo_core import *
import numpy as np, privbo_core as pb
p = pb.privacy
p.gaussian_sigma(1, 1e-5, 1); p.simulate.laplace(3, np.random.default_rng(0)); p.epsilon(0.25, 1.0, 40, 0.003, "pld")
absent("scipy.stats", "sklearn", "optuna", "flwr", "distributed", "streamlit", "plotly", "opendp", "dp_accounting")
p.release.laplace(0.0, p.Laplace(1.0, 1.0)); assert "opendp" in sys.modules
p.renyi_epsilon(0.25, 1.0, 40, 0.003); assert "dp_accounting" in sys.modules
"""


def test_packages_are_loaded_at_first_use_and_print_nothing():
    """SciPy's distributions, the noise library and the accountants take longer to load than all of the engine."""
    done = subprocess.run([sys.executable, "-c", STAGES], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_public_name_can_be_imported():
    for name in privbo_core.__all__:
        assert getattr(privbo_core, name) is not None
        assert name in dir(privbo_core)
    assert privbo_core.worth is privbo_core.diagnostics  # its name in version 1.0.0
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        privbo_core.nothing  # noqa: B018


@pytest.mark.parametrize(("name", "tool"), [("optuna", "Optuna"), ("sklearn", "scikit-learn")])
def test_a_missing_tool_is_named_with_its_installation(monkeypatch, name, tool):
    for loaded in [one for one in sys.modules if one.split(".")[0] == name or one.startswith(f"privbo_core.{name}")]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=f"needs {tool}, which is not installed: pip install"):
        __import__(f"privbo_core.{name}")
