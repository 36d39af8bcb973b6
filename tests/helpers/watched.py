"""The app with somebody in its process who can tell what is reachable there: `python watched.py PORT run app.py …`.

A line of text sent to that port of this machine is looked for in every object that the process can still reach; the
answer is one line for each holder of it, empty if there is none. Ask when nothing is being computed: a tuple that is
just being built cannot be finished while somebody looks at it.
"""

import gc
import inspect
import io
import socketserver
import sys
import threading
from collections.abc import Iterator

import numpy as np
import pandas as pd
from google.protobuf.message import Message
from streamlit.web.cli import main

LONGEST = 60  # characters of an object in an answer


def everything() -> Iterator[tuple[object, dict[int, object]]]:
    """Yield each object that can be reached, once, with what leads to what, by address."""
    gc.collect()
    roots: list[object] = [sys.modules, *(one for top in sys._current_frames().values() for one in stack(top))]
    parent: dict[int, object] = {}
    seen: dict[int, object] = {}  # the object itself too, so that its address is given to nobody else meanwhile
    for start in (roots, gc.get_objects()):  # the second list: what only a library's own insides lead to
        waiting = list(start)
        hidden = {id(waiting), id(start), id(roots), id(parent), id(seen)}
        while waiting:
            each = waiting.pop()
            if id(each) in seen or id(each) in hidden:
                continue
            seen[id(each)] = each
            yield each, parent
            inside = list(each.f_locals.values()) if inspect.isframe(each) else gc.get_referents(each)
            for one in inside:
                parent.setdefault(id(one), each)
            waiting += inside


def path(each: object, parent: dict[int, object]) -> list[object]:
    """Return what leads to an object, from far to near."""
    found: list[object] = []
    while (above := parent.get(id(each))) is not None and not any(above is one for one in found):
        found.append(above)
        each = above
    return found[::-1]


def stack(frame: object) -> Iterator[object]:
    """Yield a frame and those that called it, but none of this module's."""
    while frame is not None:
        if frame.f_globals.get("__name__") != "__main__":
            yield frame
        frame = frame.f_back


def holds(each: object, text: str, amount: float) -> bool:
    """Return whether this object itself has the text, or an array the amount."""
    if isinstance(each, str):
        return text in each
    if isinstance(each, bytes | bytearray):
        return text.encode() in each
    if isinstance(each, io.BytesIO):
        return not each.closed and text.encode() in each.getvalue()
    if isinstance(each, Message):
        return text.encode() in each.SerializeToString()
    if isinstance(each, pd.api.extensions.ExtensionArray):
        return any(isinstance(cell, str) and text in cell for cell in each)
    if isinstance(each, np.ndarray) and each.dtype.kind == "f":
        with np.errstate(all="ignore"):
            return bool((np.abs(each - amount) < 1e-9 * amount).any())
    return isinstance(each, float) and abs(each - amount) < 1e-9 * amount


def told(each: object) -> str:
    """Return an object's kind, and its name or what it begins with."""
    name = getattr(each, "__name__", None) or (list(each)[:3] if isinstance(each, dict) else "")
    return f"{type(each).__module__}.{type(each).__name__} {str(name)[:LONGEST]}".strip()


class Answers(socketserver.StreamRequestHandler):
    """Answers one line: what to look for, a blank, and an amount."""

    def handle(self) -> None:
        """Look, and say who holds it."""
        text, amount = self.rfile.readline().decode().split()
        found = []
        for each, parent in everything():
            if each is not text and holds(each, text, float(amount)):
                found.append(f"{str(each)[:LONGEST]!r} in {' → '.join(map(told, path(each, parent)))}")
        self.wfile.write("".join(f"{line}\n" for line in found).replace(text, "…").encode())


if __name__ == "__main__":
    port = int(sys.argv.pop(1))
    server = socketserver.TCPServer(("127.0.0.1", port), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    main()
