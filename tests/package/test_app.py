"""The installed package serves the app from an empty folder, also where packages cannot be written to."""

import asyncio
import socket
from pathlib import Path

import plotly
import pytest
from streamlit.proto.NewSession_pb2 import Config

from tests.helpers.environments import environment, served
from tests.helpers.visitor import Visitor, ask

LIBRARY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


SHOWN = {
    "": lambda visitor: any("pb-title" in body for body in visitor.html),
    "release": lambda visitor: "score" in visitor.pictures,
    "papers": lambda visitor: "papers" in visitor.pictures,
}
"""Start, a page with a sample and one with stored results, and what each shows."""


async def look(port, pages):
    for page in pages:
        visitor = await Visitor.arrive(port, page)
        await visitor.until(lambda v=visitor, p=page: SHOWN[p](v))
        assert not visitor.errors
        assert visitor.settings.show_error_links == Config.SHOW_ERROR_LINKS_FALSE
        await visitor.leave()


@pytest.mark.long
@pytest.mark.parametrize(
    ("writable", "command"),
    [(True, ["privbo"]), (False, ["privbo"]), (False, ["python", "-m", "streamlit", "run", "APP"])],
)
def test_the_app_is_served_and_writes_nothing(wheel, tmp_path, writable, command):
    made = environment(tmp_path, wheel, ["app"], writable=writable)
    app, temporary = made.site / "privbo_app", tmp_path / "temporary"
    temporary.mkdir()
    command = [word.replace("APP", str(app / "app.py")) for word in command]
    with served(made, command, TMPDIR=str(temporary)) as port:
        asyncio.run(look(port, SHOWN if writable else [""]))
        status, _, content = ask(port, "GET", "/app/static/plotly.min.js")
        assert (status, len(content)) == (200, LIBRARY.stat().st_size)
        with pytest.raises(OSError, match="refused"):  # this machine's own address only: the settings of the app hold
            socket.create_connection(("127.0.0.2", port), timeout=5)
    assert not [*made.folder.iterdir(), *temporary.iterdir(), *app.glob("static/*.js")]
    assert not made.opened()
    assert made.pip("check").returncode == 0
