"""A network between browsers and the app that can be switched off and on again."""

import contextlib
import socket
import threading
from urllib.parse import urlsplit


class Wireless:
    """Passes on what comes to a port of its own, while it is on."""

    def __init__(self, address: str) -> None:
        self._to = (urlsplit(address).hostname, urlsplit(address).port)
        self._on, self._open = True, set()
        self._lock = threading.Lock()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def off(self) -> None:
        """Cut every connection, and let nobody in."""
        with self._lock:
            self._on = False
            for end in self._open:
                _cut(end)
            self._open.clear()

    def on(self) -> None:
        """Let everybody in again."""
        with self._lock:
            self._on = True

    def close(self) -> None:
        """Be done."""
        self.off()
        self._door.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._door.accept()
            except OSError:
                return
            with self._lock:
                if not self._on:
                    _cut(near)
                    continue
                far = socket.create_connection(self._to)
                self._open |= {near, far}
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for end in (source, target):
            _cut(end)
        with self._lock:
            self._open -= {source, target}


def _cut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
