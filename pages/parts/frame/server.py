"""What this app's server adds to Streamlit's own, however it is started: app.py hands it on before anybody is listened to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import plotly
import streamlit as st
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route

from pages.parts.frame.undocumented import keep_uploads_in_memory

LIBRARY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
"""The plotting library, as it came with the plotly package: served from there, so that no network is needed."""


async def plotting_library(request: Request) -> FileResponse:
    """Answer with the plotting library."""
    return FileResponse(LIBRARY, media_type="text/javascript")


@asynccontextmanager
async def prepared(app: st.App) -> AsyncIterator[None]:
    """Set up the process, before it listens."""
    keep_uploads_in_memory()
    yield


def routes() -> list[Route]:
    """Return what is served beside Streamlit's own paths."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return [Route(f"{'/' if base else ''}{base}/app/static/plotly.min.js", plotting_library)]
