"""The app's additions to Streamlit's server, however that is started: headers, limits, and the plotting library."""

import gc
import hashlib
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from importlib import import_module
from pathlib import Path

import plotly
import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import privbo_core
from pages.ui import demo
from pages.ui.internals import cap_uploads, keep_uploads_in_memory, share_state_locks

LIBRARY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
"""The plotting library as it came with the plotly package. It is served from there, so no network is needed."""
FRONT = Path(st.__file__).parent / "static" / "index.html"
"""The page in which Streamlit shows everything."""
PAGES = Path(__file__).parents[1]
PARTS = ("figures", "ui")
"""The folders that pages import from."""
LIBRARY_PATH = "app/static/plotly.min.js"
EARLY = f"<{LIBRARY_PATH}>; rel=preload; as=script"
"""What a browser fetches as soon as it has the page: nearly all pages draw figures, and ask for this much later."""
READING = ("GET", "HEAD", "OPTIONS")
"""The methods of HTTP that send nothing."""
REFUSAL = PlainTextResponse("This demonstration has samples only and takes no files.\n", status_code=403)
"""The answer of a demonstration to everything else."""


class Guarded:
    """Adds headers to every answer, so that a page loads only this server's files, whatever a visitor brings.

    A demonstration refuses every request that sends something, such as an upload, before it reads any of it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer as the app does, with more headers. A websocket has no headers."""
        http = scope["type"] == "http"
        app = REFUSAL if http and demo.is_demo() and scope["method"] not in READING else self._app

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = own_policy()
                headers["X-Content-Type-Options"] = "nosniff"
                if headers.get("Content-Type", "").startswith("text/html"):
                    headers["Link"] = EARLY
            await send(message)

        return app(scope, receive, guarded if http else send)


@cache
def own_policy() -> str:
    """Return the Content-Security-Policy of this server."""
    return policy(FRONT.read_text(encoding="utf-8"), demo.hosting().sites)


def policy(front: str, sites: Sequence[str] = ()) -> str:
    """Return the Content-Security-Policy of a page. It allows the page's scripts by their digests, and this server.

    The ``sites`` may show the page in a frame.
    """
    inline = re.findall(r"<(script)>(.*?)</\1>", front, re.DOTALL)
    own = [f"'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for _, script in inline]
    # Components' scripts arrive as blobs, and Streamlit multiplies large integers in WebAssembly.
    scripts = " ".join(("script-src 'self' blob: 'wasm-unsafe-eval'", *own))
    # A file that an inline style names would be loaded as an image or a font, and is stopped there.
    looks = "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:"
    frames = " ".join(("frame-ancestors 'self'", *sites))
    rest = f"object-src 'none'; base-uri 'self'; form-action 'self'; {frames}"
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
    demo.hosting()
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
    """Return the routes that the app adds to Streamlit's own."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    root = f"{'/' if base else ''}{base}"
    every = [("app/static/plotly.min.js", plotting_library), *((name, named) for name in NAMED)]
    return [Route(f"{root}/{path}", answer, methods=["GET"]) for path, answer in every]


MIDDLEWARE = [Middleware(Guarded)]
