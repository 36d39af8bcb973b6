"""Run DP-FTS-DE between real machines with Flower: a strategy for the server and a client app for the agents.

A Flower app needs two lines. Each agent calls its own ``objective``, and the server runs `DPFTSDE`:

    server = flower.server_app(points, settings)
    client = flower.client_app(points, settings, objective)

Clipping, sampling, weights, noise and accounting are those of `privbo_core.federated`. Flower carries the messages over
TLS. docs/federation.md lists the commands.

**Who takes part.** Agent n is the n-th node in the run's configuration (``nodes``), by the node ID that Flower gave to
the agent's registered key. So N is fixed before any agent connects, each agent has one share of the sum, and no agent
can take the share of another.

**What the messages reveal.** The server asks every connected agent and draws its secret sample after the answers have
arrived, so the messages are the same for all agents. An agent that is late, fails or sends an unusable vector
contributes zeros. Noise and ε stay the same, and no decision of the server depends on the number of answers. The
duration of a round is not protected, because a round ends when the slowest agent has answered.

**A run belongs to one server process.** The server keeps its state in memory alone. An agent takes part only in the run
whose ID its operator gave to its SuperNode (``run`` in the node's configuration), and a restarted server has a new run
ID. Within a run the agent pins a random token of the server process, and it answers each round at most once. So no
agent answers a restarted server, whose account would begin again at round 1.

**How exact the noise is.** The noise is OpenDP's discrete Gaussian on a grid of at most 2^-60 of its deviation. It is
drawn exactly and without a seed (`privbo_core.privacy.release`), so the gaps between floating-point numbers reveal
nothing. The sum before it is computed in floating point, and the sensitivity is taken larger by 1e-9 to cover its
rounding. The sample is drawn by the operating system. Agents draw their own vectors with a pseudo-random generator, on
which the guarantee does not depend.
"""

import logging
import math
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.errors import Array, DataError, matrix, positive
from privbo_core.federated.accounting import losses
from privbo_core.federated.agents import Agents, RandomNumbers
from privbo_core.federated.run import common
from privbo_core.federated.server import Server, clip, gather
from privbo_core.federated.settings import Settings, cautions, check_agents, delta_for
from privbo_core.federated.sub_regions import check_sub_regions

try:
    from flwr.app import ArrayRecord, ConfigRecord, Context, Message, MessageType, MetricRecord, RecordDict
    from flwr.clientapp import ClientApp
    from flwr.serverapp import Grid, ServerApp
    from flwr.serverapp.strategy import Result, Strategy
except ImportError as missing:
    raise ImportError("privbo_core.federated.flower needs Flower: pip install 'privbo[scale]'") from missing

__all__ = ["DPFTSDE", "client_app", "server_app"]

Objective = Callable[[Array, Mapping[str, Any]], float]
"""Measures an agent's objective at a point, given the configuration of the agent's own node."""
FEATURE_SEED = 0  # The random features are public and the same for all agents. No noise is drawn with it.
ROUND_SECONDS = 600.0
CONNECT_SECONDS = 600.0
POLL_SECONDS = 1.0
MAX_HEADER = 1024  # Bytes that a serialised vector may have on top of its numbers.
OTHER_RUN = "it takes part in another run, or in none"
FAILED = "its objective gave no finite number"
REASONS = (OTHER_RUN, FAILED)
log = logging.getLogger("flwr")


class DPFTSDE(Strategy):
    """Serve one run of DP-FTS-DE: in each round, add up the agents' vectors and broadcast the noisy sum.

    ``nodes`` holds the Flower node ID of each of the N agents. An agent has ``round_seconds`` to answer a round. The
    result's arrays are the last broadcast, and its training metrics hold ``epsilon`` and ``delta`` after each round,
    by loss distributions and the sensitivity of the joint vector (`federated.losses`).
    Raises ValueError if the settings cannot be used with these agents on these points.
    """

    def __init__(
        self, points: ArrayLike, settings: Settings, nodes: Iterable[int], round_seconds: float = ROUND_SECONDS
    ) -> None:
        self.settings, self.nodes = _check_shared(settings), tuple(nodes)
        self.agents = check_agents(len(self.nodes))
        if len(set(self.nodes)) < self.agents:
            raise ValueError("nodes names a node twice. Each agent must be a node of its own.")
        check_sub_regions(matrix("points", points, least_rows=2), settings.P, self.agents, settings.initial)
        self.round_seconds = positive("round_seconds", round_seconds)
        self.delta = delta_for(self.agents)
        self.epsilons = losses(settings, self.agents, "pld", "exact")
        self._server = Server(settings, self.agents)
        self._token = secrets.token_hex(16)
        self._tickets: dict[str, int] = {}
        self._exchanges = 0

    def run(self, grid: Grid) -> Result:
        """Run all T rounds, each of which the agents answer once. An exchange before them collects their first vectors.

        Raises DataError if this strategy has run before, because its account would begin again at round 1.
        """
        if self._exchanges:
            raise DataError("This run has begun already. Start another run, with agents who agree to it.")
        rounds = self.settings.iterations + 1
        return self.start(grid, ArrayRecord(), num_rounds=rounds, timeout=self.round_seconds)

    def summary(self) -> None:
        """Log the settings, and the cautions about them."""
        log.info("DP-FTS-DE with %d agents: %s", self.agents, self.settings)
        for sentence in cautions(self.settings, self.agents):
            log.warning(sentence)

    def configure_train(
        self, server_round: int, arrays: ArrayRecord, config: ConfigRecord, grid: Grid
    ) -> Iterable[Message]:
        """Return a message for every agent that is connected, with the broadcast of the round before this exchange.

        The server recognises the answer by the random ticket in the message, and trusts no metadata of the answer.
        """
        if server_round != self._exchanges + 1:
            raise DataError(f"Exchange {server_round} cannot follow exchange {self._exchanges}.")
        self._exchanges = server_round
        self._tickets = {}
        connected, messages = set(grid.get_node_ids()), []
        for number, node in enumerate(self.nodes):
            if node not in connected:
                log.info("Agent %d is not connected.", number)
                continue
            ticket = secrets.token_hex(16)
            self._tickets[ticket] = number
            question = {"token": self._token, "ticket": ticket, "t": server_round - 1}
            content = RecordDict({"round": ConfigRecord({**question, "agent": number, "agents": self.agents})})
            if server_round > 1:
                content["broadcast"] = arrays
            messages.append(
                Message(content, node, MessageType.TRAIN, ttl=self.round_seconds, group_id=str(server_round - 1))
            )
        return messages

    def aggregate_train(
        self, server_round: int, replies: Iterable[Message]
    ) -> tuple[ArrayRecord | None, MetricRecord | None]:
        """Return the noisy sum of the vectors that arrived, and (ε, δ) of all broadcasts so far.

        After the last round there is nothing to add up, because agents then send no vector.
        """
        t, last = server_round, self.settings.iterations
        received: dict[int, ArrayLike] = {}
        for reply in replies:
            self._open(reply, received)
        for number in self._tickets.values():
            log.warning("Agent %d sent no usable answer in time.", number)
        self._tickets = {}  # A later answer has no valid ticket.
        if t > last:
            return None, None
        sent, dropped = gather(received, self.agents, self.settings.features)
        for number, reason in dropped.items():
            log.warning("Dropped the answer of agent %d: %s.", number, reason)
        broadcast = self._server.turn(t, sent).broadcast
        assert broadcast is not None
        epsilon, count = self.epsilons[t - 1], len(received) - len(dropped)
        log.info("Round %d of %d: %d of %d agents sent a vector.", t, last, count, self.agents)
        log.info("Round %d of %d: ε = %.6g at δ = %.6g for all rounds so far.", t, last, epsilon, self.delta)
        return ArrayRecord([broadcast.vectors]), MetricRecord({"epsilon": epsilon, "delta": self.delta})

    def _open(self, reply: Message, received: dict[int, ArrayLike]) -> None:
        """Add the vector in a reply to those received, or log why there is none."""
        if reply.has_error():
            log.warning("Dropped an answer: Flower reports error %s.", reply.error.code)
            return
        try:
            answer = reply.content["answer"]
            number = self._tickets.pop(str(answer["ticket"]))
        except Exception:  # Agents may send anything, and the round goes on without it.
            log.warning("Dropped an answer: it belongs to no question of this round.")
            return
        try:
            if "reason" in answer:
                reason = str(answer["reason"])
                log.warning("Agent %d sent no vector: %s.", number, reason if reason in REASONS else "unknown reason")
            elif self._exchanges <= self.settings.iterations:
                received[number] = self._vector(reply.content["vector"])
        except Exception:
            log.warning("Dropped the answer of agent %d: its vector cannot be read.", number)

    def _vector(self, record: ArrayRecord) -> ArrayLike:
        """Return the only array of a record, or raise ValueError if it is longer than a vector can be."""
        (array,) = record.values()
        if len(array.data) > 8 * self.settings.features + MAX_HEADER:
            raise ValueError("the vector is too long")
        found = array.numpy()
        if not isinstance(found, np.ndarray):  # An archive of arrays can be sent too.
            raise ValueError("the vector is no array")
        return found

    def configure_evaluate(
        self, server_round: int, arrays: ArrayRecord, config: ConfigRecord, grid: Grid
    ) -> Iterable[Message]:
        """Return no messages: agents measure during the rounds themselves."""
        return []

    def aggregate_evaluate(self, server_round: int, replies: Iterable[Message]) -> MetricRecord | None:
        """Return None, because there is no separate evaluation."""
        return None


def server_app(points: ArrayLike, settings: Settings, done: Callable[[Result], None] | None = None) -> ServerApp:
    """Return a Flower server app that runs `DPFTSDE` once, and calls ``done`` with its result.

    The run's configuration has ``nodes``, the agents' node IDs separated by spaces. ``round-seconds`` is how long an
    agent has to answer, and ``connect-seconds`` how long the server waits for all agents to connect before it begins
    with those that have (both 600 if they are left out). Make ``round-seconds`` longer than an evaluation takes.
    """
    app = ServerApp()

    def main(grid: Grid, context: Context) -> None:
        given = context.run_config
        nodes = _node_ids(str(given.get("nodes", "")))
        strategy = DPFTSDE(points, settings, nodes, float(given.get("round-seconds", ROUND_SECONDS)))
        _wait_for(grid, set(nodes), float(given.get("connect-seconds", CONNECT_SECONDS)))
        result = strategy.run(grid)
        if done is not None:
            done(result)

    app.main()(main)
    return app


def _node_ids(text: str) -> list[int]:
    """Return the node IDs in a text."""
    try:
        return [int(word) for word in text.split()]
    except ValueError:
        raise DataError(f"nodes is {text!r}. It must be the agents' node IDs, separated by spaces.") from None


def _wait_for(grid: Grid, nodes: set[int], seconds: float) -> None:
    """Wait until all nodes are connected, but not longer than so many seconds."""
    end = time.monotonic() + seconds
    while not nodes <= set(grid.get_node_ids()) and time.monotonic() < end:
        time.sleep(POLL_SECONDS)


def client_app(points: ArrayLike, settings: Settings, objective: Objective) -> ClientApp:
    """Return a Flower client app for one agent.

    ``objective(point, config)`` measures one of the ``points`` on the agent's machine and returns a number, to be
    maximised, in units in which the model of ``settings`` has mean 0 and variance ``kernel.variance``. ``config`` is
    the node's configuration. Its ``run`` is the ID of the run that the agent takes part in, and the agent may add
    settings of its own, such as the path of its data. The agent is silent in a round in which its objective fails or
    returns a number that is not finite. Outcomes are logged on the agent's machine and kept in its SuperNode's memory.
    """
    app, rows = ClientApp(), matrix("points", points, least_rows=2)
    _check_shared(settings)

    def answer(message: Message, context: Context) -> Message:
        ticket = str(message.content["round"]["ticket"])
        if not _agrees(message, context):
            log.warning("Refused: this agent takes part in the run %s alone.", context.node_config.get("run"))
            return _reply(message, {"ticket": ticket, "reason": OTHER_RUN})
        agent = _Agent(message, context, rows, settings, objective)
        vector = agent.answer(message)
        context.state["memory"] = ConfigRecord(agent.memory)
        if agent.failed:
            return _reply(message, {"ticket": ticket, "reason": FAILED})
        return _reply(message, {"ticket": ticket}, vector)

    app.train()(answer)
    return app


def _agrees(message: Message, context: Context) -> bool:
    """Return whether the message is the next one of the agent's own run, from the server process that it pinned."""
    if str(context.node_config.get("run")) != str(context.run_id):
        return False
    asked, memory = message.content["round"], context.state.get("memory")
    if memory is None:
        return True
    return bool(asked["token"] == memory["token"] and asked["agent"] == memory["agent"] and asked["t"] > memory["t"])


def _reply(message: Message, answer: dict[str, str], vector: Array | None = None) -> Message:
    content = RecordDict({"answer": ConfigRecord(answer)})
    if vector is not None:
        content["vector"] = ArrayRecord([vector])
    return Message(content, reply_to=message)


class _Agent:
    """An agent during one exchange, restored from the rows and outcomes that Flower keeps for it."""

    def __init__(
        self, message: Message, context: Context, points: Array, settings: Settings, objective: Objective
    ) -> None:
        asked, memory = message.content["round"], context.state.get("memory", {})
        self.points, self.settings, self.objective = points, settings, objective
        self.t, self.config, self.failed = int(asked["t"]), dict(context.node_config), False
        self.rows, self.outcomes = list(memory.get("rows", [])), list(memory.get("outcomes", []))
        self._pinned = {"token": asked["token"], "agent": asked["agent"]}
        number, agents = int(asked["agent"]), int(asked["agents"])
        shared = common(points, settings, agents, np.random.default_rng(FEATURE_SEED).spawn(1)[0])
        self._agents = Agents(shared, RandomNumbers.alone(number), len(self.rows) + settings.initial + 1)
        for row, outcome in zip(self.rows, self.outcomes, strict=True):
            self._agents.observe(np.array([row]), np.array([outcome]))

    @property
    def memory(self) -> dict[str, Any]:
        """Return the facts that Flower keeps until the next exchange."""
        return {**self._pinned, "t": self.t, "rows": self.rows, "outcomes": self.outcomes}

    def answer(self, message: Message) -> Array | None:
        """Measure the objective for this exchange, and return the clipped vector for the next round.

        Initial points come first, also for an agent that joins late. Then the broadcast or the agent's own posterior
        chooses a row. The vector is None after the last round, and if a measurement failed.
        """
        if not self.rows:
            for row in self._agents.begin()[0]:
                self._measure(int(row))
        if self.t > 0:
            (vectors,) = message.content["broadcast"].to_numpy_ndarrays()
            chosen, _ = self._agents.asks(self.t, vectors)
            self._measure(int(chosen[0]))
        if self.failed or self.t >= self.settings.iterations:
            return None
        clipped, _ = clip(self._agents.vectors(), self.settings.P, self.settings.S)
        return np.asarray(clipped[0])

    def _measure(self, row: int) -> None:
        """Measure the objective at a row and observe the outcome, or set ``failed`` if it is not a finite number."""
        try:
            outcome = float(self.objective(self.points[row].copy(), self.config))
        except Exception:  # The objective is the agent's own code, so its error stays on the agent's machine.
            log.exception("Round %d: the objective failed at %s.", self.t, self.points[row].tolist())
            outcome = math.nan
        if not math.isfinite(outcome):
            self.failed = True
            return
        log.info("Round %d: measured %.6g at %s.", self.t, outcome, self.points[row].tolist())
        self.rows.append(row)
        self.outcomes.append(outcome)
        self._agents.observe(np.array([row]), np.array([outcome]))


def _check_shared(settings: Settings) -> Settings:
    """Return the settings, or raise ValueError if agents work alone, because then there is nothing to send."""
    if settings.alone:
        raise ValueError("decay is inf, so the agents work alone and nothing is sent. Use `federated.run`.")
    return settings
