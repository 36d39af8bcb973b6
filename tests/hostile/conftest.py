"""A server for visitors who do not play by the rules. Its log must stay free of tracebacks."""

import asyncio
import inspect
import re

import pytest

from tests.helpers.serving import ROOT, serving
from tests.helpers.visitor import Visitor, left


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that is a coroutine, in a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}))
    return True


def tracebacks(server):
    """Return the tracebacks in the server's log that lead through the app, not through the web server alone."""
    found = re.findall(r"^Traceback.*?^\S[^\n]*$", server.log.read_text(), re.M | re.S)
    return [text for text in found if re.search(rf'File "{re.escape(str(ROOT))}/(?!\.venv)', text)]


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    options = ["--server.maxUploadSize", "1", "--server.disconnectedSessionTTL", "1"]
    with serving(tmp_path_factory.mktemp("hostile"), options=options) as server:
        yield server


@pytest.fixture(autouse=True)
def nothing_breaks(server):
    """After whatever was done: no traceback in the log but those expected."""
    written, expected = len(tracebacks(server)), []
    yield expected
    found = [text for text in tracebacks(server)[written:] if not any(words in text for words in expected)]
    assert not found, "\n".join(found)[-4000:]


@pytest.fixture(scope="module", autouse=True)
def others_are_served(server):
    """After whatever was done in a file of tests: a fresh visitor gets pictures."""
    yield
    for page, slot in (("outsourced", "condition"), ("release", "score")):
        asyncio.run(fresh_visitor(server, page, slot))


async def fresh_visitor(server, page, slot):
    visitor = await Visitor.arrive(server.port, page, {"T": 10, "runs": 5, "algorithm": "1 noisy"})
    await visitor.until(lambda: slot in visitor.pictures and visitor.answered >= 0)
    await visitor.see_moved({"epsilon": 7.5})
    sliders = visitor.panels[page][1]["sliders"]
    assert next(each["value"] for each in sliders if each["key"] == "epsilon") == 7.5
    if page == "outsourced":
        await visitor.until(lambda: 7.5 in [each["value"] for each in visitor.pictures[slot].figure["handles"]])
    await left(visitor)
