"""The two halves of the Flower app: all that knows Flower."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from privbo_core.errors import Array, DataError
from privbo_core.federated.flower.ledger import open_book
from privbo_core.federated.flower.member import Member, own
from privbo_core.federated.flower.service import Heard, Received, serve
from privbo_core.federated.flower.terms import Terms, read_terms
from privbo_core.terminal import visible

try:
    from flwr.app import ArrayRecord, ConfigRecord, Context, Message, MessageType, RecordDict
    from flwr.clientapp import ClientApp
    from flwr.common.constant import ErrorCode
    from flwr.serverapp import Grid, ServerApp
except ModuleNotFoundError as fault:
    if (fault.name or "").split(".")[0] != "flwr":
        raise
    MISSING = True
else:
    MISSING = False

LOOK = 0.5  # Seconds between two looks whether an answer has come.


def server_app(path: str | Path, seed: int | None = None) -> "ServerApp":
    """Return the server of the federation whose federation.toml is at ``path``.

    Its ledger is the run's ``ledger``, on the server's machine. ``seed`` is for tests: it is refused if there is noise.
    """
    _check_flower()
    app = ServerApp()

    @app.main()  # type: ignore[untyped-decorator, unused-ignore]
    def main(grid: "Grid", context: "Context") -> None:
        terms = read_terms(path)
        with open_book(str(context.run_config.get("ledger", "ledger.jsonl")), terms) as book:
            _until(terms.wait, lambda: len(list(grid.get_node_ids())) >= terms.agents)
            serve(terms, book, lambda t, vectors: _ask(grid, terms, t, vectors), _say, seed)

    return app


def client_app(path: str | Path, seed: int | None = None) -> "ClientApp":
    """Return an agent of that federation; ``--node-config`` says which, and what its objective is."""
    _check_flower()
    app = ClientApp()

    @app.query()  # type: ignore[untyped-decorator, unused-ignore]
    def turn(message: "Message", context: "Context") -> "Message":
        terms = read_terms(path, noise=False)
        member = Member(terms, own(context.node_config, terms.agents), seed)
        sent = message.content
        vectors = sent["vectors"].to_numpy_ndarrays()[0] if "vectors" in sent else None
        answer = member.turn(str(context.run_id), int(sent["round"]["t"]), vectors)
        said: dict[str, Any] = {"agent": answer.number, "t": answer.t, "garbage": answer.garbage}
        if answer.regret is not None:
            said["regret"] = answer.regret
        content = RecordDict({"answer": ConfigRecord(said)})
        if answer.vector is not None:
            content["vector"] = ArrayRecord([answer.vector])
        return Message(content, reply_to=message)

    return app


def _check_flower() -> None:
    if MISSING:
        raise DataError("Flower is not installed here; `pip install .[federated]` installs it.")


def _received(message: "Message") -> Received | None:
    """Return what a message claims, None if it is no answer of an agent that could evaluate its objective."""
    try:
        said = message.content["answer"]
        vector = message.content["vector"].to_numpy_ndarrays()[0] if "vector" in message.content else None
        return None if said["garbage"] else Received(said["agent"], said["t"], vector, said.get("regret"))
    except Exception:  # whatever it is that an agent sends, the round goes on without it
        return None


def _ask(grid: "Grid", terms: Terms, t: int, vectors: Array | None) -> Heard:
    """Send a round to every agent that is connected, and return what comes back in time."""
    content = RecordDict({"round": ConfigRecord({"t": t})})
    if vectors is not None:
        content["vectors"] = ArrayRecord([np.ascontiguousarray(vectors)])
    nodes = list(grid.get_node_ids())
    messages = [Message(content, node, MessageType.QUERY, ttl=terms.pace, group_id=str(t)) for node in nodes]
    waiting, replies = {each for each in grid.push_messages(messages) if each}, []

    def all_there() -> bool:
        for reply in grid.pull_messages(waiting) if waiting else ():
            waiting.discard(reply.metadata.reply_to_message_id)
            replies.append(reply)
        return not waiting

    if waiting or terms.steady:
        _until(terms.pace, all_there, terms.steady)
    unreached = {ErrorCode.MESSAGE_UNAVAILABLE, ErrorCode.REPLY_MESSAGE_UNAVAILABLE, ErrorCode.NODE_UNAVAILABLE}
    # An agent that Flower could not reach in time is silent; one whose half of the app broke has failed.
    found = [_received(each) for each in replies if not (each.has_error() and each.error.code in unreached)]
    received = tuple(each for each in found if each is not None)
    return Heard(len(nodes), received, len(found) - len(received))


def _until(seconds: float, done: Callable[[], bool], steady: bool = False) -> None:
    """Wait until something is done, at most so many seconds; ``steady``: exactly so many."""
    end = time.monotonic() + seconds
    while (not done() or steady) and time.monotonic() < end:
        time.sleep(LOOK)


def _say(sentence: str) -> None:
    print(visible(sentence), flush=True)  # noqa: T201  it goes into the run's log
