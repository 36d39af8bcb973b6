"""What the app adds to Streamlit's server, however that is started: headers, limits, and the plotting library."""

import gc
import hashlib
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path

import plotly
import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import privbo_core
from pages.ui.internals import cap_uploads, keep_uploads_in_memory, share_state_locks

LIBRARY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
"""The plotting library as it came with the plotly package. It is served from there, so no network is needed."""
FRONT = Path(st.__file__).parent / "static" / "index.html"
"""The page in which Streamlit shows everything."""
PAGES = Path(__file__).parents[1]
PARTS = ("figures", "ui")
"""The folders that pages import from."""


class Guarded:
    """Adds headers to every answer, so that a page loads only what this server has, whatever a visitor's file says."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._policy = app, policy(FRONT.read_text(encoding="utf-8"))

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer as the app does, with two more headers. A websocket has no headers."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = self._policy
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        return self._app(scope, receive, guarded if scope["type"] == "http" else send)


def policy(front: str) -> str:
    """Return the Content-Security-Policy of a page. It allows the page's scripts by their digests, and this server."""
    inline = re.findall(r"<(script)>(.*?)</\1>", front, re.DOTALL)
    own = [f"'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for _, script in inline]
    # Components' scripts arrive as blobs, and Streamlit multiplies large integers in WebAssembly.
    scripts = " ".join(("script-src 'self' blob: 'wasm-unsafe-eval'", *own))
    # A file that an inline style names would be loaded as an image or a font, and is stopped there.
    looks = "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:"
    rest = "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
    return f"default-src 'self'; {scripts}; {looks}; {rest}"


async def plotting_library(request: Request) -> FileResponse:
    """Serve the plotting library."""
    return FileResponse(LIBRARY, media_type="text/javascript")


@asynccontextmanager
async def prepared(app: st.App) -> AsyncIterator[None]:
    """Set up the process before it listens.

    One thread imports engine and pages here. Visitors who come at the same moment would each import a part, and Python
    hands out half-imported modules where two imports wait for each other. Frozen objects are skipped by the garbage
    collector, for which all visitors wait.
    """
    for package in privbo_core.__all__:
        getattr(privbo_core, package)
    for part in sorted(path for folder in PARTS for path in (PAGES / folder).rglob("*.py")):
        import_module(".".join(("pages", *part.relative_to(PAGES).with_suffix("").parts)).removesuffix(".__init__"))
    gc.collect()
    gc.freeze()
    keep_uploads_in_memory()
    cap_uploads()
    share_state_locks()
    yield


NAMED = {"start": "./"}
"""Pages whose name in the menu is not their address."""


async def named(request: Request) -> RedirectResponse:
    """Lead from a page's name in the menu to its address."""
    place = NAMED[request.url.path.rsplit("/", 1)[-1]]
    return RedirectResponse(place + (f"?{request.url.query}" if request.url.query else ""))


def routes() -> list[Route]:
    """Return what is served beside Streamlit's own paths."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    root = f"{'/' if base else ''}{base}"
    every = [("app/static/plotly.min.js", plotting_library), *((name, named) for name in NAMED)]
    return [Route(f"{root}/{path}", answer, methods=["GET"]) for path, answer in every]


MIDDLEWARE = [Middleware(Guarded)]
