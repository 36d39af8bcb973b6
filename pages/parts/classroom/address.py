"""Where phones find this app: the address as a code that a camera reads, and what stands in their way."""

from functools import lru_cache
from urllib.parse import urlsplit

import segno
import streamlit as st

from pages.parts.kits.making import elsewhere


def base() -> str:
    """Return the app's own address as this browser sees it, without the page."""
    return str(st.context.url or "").split("?")[0].rstrip("/").removesuffix("/class")


def join_address(base_address: str, code: str, key: str) -> str:
    """Return the address at which a phone comes into a room; ``key``: the room's, which nobody types."""
    return f"{base_address.rstrip('/')}/join?room={code}&key={key}"


def only_here(address: str) -> bool:
    """Return whether an address leads to the machine itself, so that no phone gets there."""
    return not elsewhere(address)


def usable(typed: str) -> str:
    """Return an address as a person types it, whole; an empty text if it is none."""
    text = typed.strip().rstrip("/")
    whole = text if "://" in text else f"http://{text}"
    parts = urlsplit(whole)
    try:
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query and (parts.port or 1) > 0
    except ValueError:
        return ""
    return whole.removesuffix("/class").removesuffix("/join") if text and fits and " " not in text else ""


@lru_cache(maxsize=32)
def qr_picture(address: str) -> str:
    """Return the address as a picture that a phone's camera reads: dark on white in either theme, drawn here, once."""
    picture: str = segno.make(address, error="m", micro=False).svg_data_uri(border=2, dark="#000", light="#fff")
    return picture
