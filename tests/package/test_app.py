"""The command of the installed package starts the app in an empty folder, also where packages cannot be written to."""

import asyncio
import socket
from pathlib import Path

import plotly
import pytest
from environments import environment, served
from visitor import Visitor, ask

LIBRARY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


async def visit(port):
    """Look at Start, at a page with a sample and at one with stored results; return Start's words."""
    start = await Visitor.arrive(port, "")
    await start.until(lambda: start.words and not start.running)
    page = await Visitor.arrive(port, "outsourced", {"view": "expert"})
    await page.until(lambda: "condition" in page.pictures)
    reproduced = await Visitor.arrive(port, "reproduce", {"view": "expert"})
    await reproduced.until(lambda: "reproduce-table" in reproduced.pictures)
    for visitor in (start, page, reproduced):
        assert not visitor.errors
        await visitor.leave()
    return " ".join(start.words)


@pytest.mark.parametrize("writable", [True, False])
def test_the_command_serves_the_app(wheel, tmp_path, writable):
    made = environment(tmp_path, wheel, ["app"], writable=writable)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with served(made, TMPDIR=str(temporary)) as port:
        assert "what does it buy?" in asyncio.run(visit(port))
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
