"""The command of the installed package starts the app in an empty folder, also where packages cannot be written to."""

import asyncio
import socket
from pathlib import Path

import plotly
import pytest

from tests.helpers.environments import environment, served
from tests.helpers.visitor import Visitor, ask

LIBRARY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


FIGURES = {"release": "score", "reproduce": "reproduce-table"}
"""A page with a sample and one with stored results, and a figure of each."""


async def start(port):
    """Look at Start, and return its words."""
    visitor = await Visitor.arrive(port, "")
    await visitor.until(lambda: visitor.words and not visitor.running)
    assert not visitor.errors
    await visitor.leave()
    return " ".join(visitor.words)


async def look(port):
    """Wait for the figures of pages that read what comes with the app."""
    for page, figure in FIGURES.items():
        visitor = await Visitor.arrive(port, page, {"view": "expert"})
        await visitor.until(lambda v=visitor, f=figure: f in v.pictures)
        assert not visitor.errors
        await visitor.leave()


@pytest.mark.parametrize("writable", [True, False])
def test_the_command_serves_the_app(wheel, tmp_path, writable):
    made = environment(tmp_path, wheel, ["app"], writable=writable)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with served(made, TMPDIR=str(temporary)) as port:
        assert "what does it buy?" in asyncio.run(start(port))
        if writable:
            asyncio.run(look(port))
        status, _, content = ask(port, "GET", "/app/static/plotly.min.js")
        assert (status, len(content)) == (200, LIBRARY.stat().st_size)
        assert len(list(temporary.glob("privbo-*"))) == (0 if writable else 1)
        with pytest.raises(OSError, match="refused"):  # this machine's own address only: the settings of the app hold
            socket.create_connection(("127.0.0.2", port), timeout=5)
    assert (made.site / "privbo_app" / "static" / "plotly.min.js").exists() == writable
    assert not list(made.folder.iterdir())
    assert not list(temporary.glob("privbo-*"))
    assert not made.opened()
    assert made.pip("check").returncode == 0
