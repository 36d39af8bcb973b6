"""What a server loads before it answers: all that the first page needs, and no package that no page uses."""

import subprocess
import sys

from tests.helpers.paths import ROOT

LOADED = """
import asyncio, sys
from pages.ui import server
async def prepare():
    async with server.prepared(None):
        return {*sys.modules}
loaded = asyncio.run(prepare())
unused = {"scipy.stats", "opendp", "dp_accounting", "sklearn", "optuna", "flwr", "distributed", "matplotlib", "pytest"}
assert not unused & loaded, unused & loaded
from streamlit.testing.v1 import AppTest
assert not AppTest.from_file("app.py", default_timeout=300).run().exception
late = {name for name in {*sys.modules} - loaded if name.split(".")[0] in ("pages", "privbo_core", "scipy", "pandas")}
assert not late, late
"""


def test_a_server_loads_what_its_first_page_needs_and_nothing_that_no_page_uses():
    done = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
