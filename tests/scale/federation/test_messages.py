"""What the server accepts of an agent's message, and whom an agent answers: Flower's messages without its processes."""

from dataclasses import replace

import numpy as np
import pytest
from flwr.app import ArrayRecord, ConfigRecord, Context, Error, Message, MessageType, RecordDict
from flwr.supercore.task_identity import TaskIdentity

import privbo_core as pb
from privbo_core.federated import flower
from tests.helpers.refusing import refusals

POINTS = np.linspace(0, 1, 20)[:, None]
SETTINGS = pb.federated.Settings(
    pb.gp.SquaredExponential(0.2), 0.01, iterations=3, initial=2, features=6, q=1.0, z=0.0, S=2.0
)
NODES = (2**63 + 11, 22, 33)
RUN = 2**63 + 5


class Net:
    """The connections of a strategy: the nodes in ``online`` answer by a function of a message."""

    def __init__(self, answer, online=NODES):
        self.answer, self.online, self.sent = answer, online, []

    def get_node_ids(self):
        return self.online

    def send_and_receive(self, messages, *, timeout):
        self.sent.append(messages := list(messages))
        return [reply for message in messages for reply in self.answer(message)]


@pytest.fixture(autouse=True)
def task(monkeypatch):
    for name, value in (("_run_id", RUN), ("_node_id", 1), ("_task_id", 7)):
        monkeypatch.setattr(TaskIdentity, name, value)


def reply(message, vector=None, **changed):
    content = RecordDict({"answer": ConfigRecord({"ticket": message.content["round"]["ticket"], **changed})})
    if vector is not None:
        content["vector"] = ArrayRecord([np.asarray(vector)])
    return Message(content, reply_to=message)


def number(message):
    return message.content["round"]["agent"]


def ran(answer, settings=SETTINGS, online=NODES):
    """Run a strategy, and return its net and its broadcasts, one a round."""
    net, strategy, found = Net(answer, online), flower.DPFTSDE(POINTS, settings, NODES), []
    turn = strategy._server.turn

    def watched(t, sent):
        found.append((t, sent.copy(), turn(t, sent)))
        return found[-1][2]

    strategy._server.turn = watched
    result = strategy.run(net)
    return net, result, found


def test_answers_become_the_engine_s_rounds():
    vectors = np.arange(18.0).reshape(3, 6) / 10
    net, result, found = ran(lambda message: [reply(message, vectors[number(message)])])
    assert [t for t, _, _ in found] == [1, 2, 3]
    for _, sent, _ in found:
        np.testing.assert_array_equal(sent, vectors)
    trained = [exchange for exchange in net.sent if exchange]
    assert [[message.metadata.dst_node_id for message in exchange] for exchange in trained] == [list(NODES)] * 4
    for t, exchange in enumerate(trained):
        for message in exchange:
            assert message.content["round"]["t"] == t
            assert ("broadcast" in message.content) == (t > 0)
            if t:
                (heard,) = message.content["broadcast"].to_numpy_ndarrays()
                np.testing.assert_array_equal(heard, found[t - 1][2].broadcast.vectors)
    (last,) = result.arrays.to_numpy_ndarrays()
    np.testing.assert_array_equal(last, found[-1][2].broadcast.vectors)


def test_losses_do_not_depend_on_who_answers():
    private = replace(SETTINGS, q=0.5, z=1.5, P=2, calibration="exact")
    expected = pb.federated.losses(private, 3, "pld", "exact")
    for answer in (lambda message: [reply(message, np.ones(6))], lambda message: []):
        _, result, found = ran(answer, private)
        metrics = result.train_metrics_clientapp
        assert [metrics[t]["epsilon"] for t in (1, 2, 3)] == expected
        assert {metrics[t]["delta"] for t in (1, 2, 3)} == {3**-1.1}
        assert len({turn.broadcast.noise_deviation for _, _, turn in found[:1]}) == 1
        assert all(turn.broadcast.noise > 0 for _, _, turn in found)


GOOD = np.full(6, 0.1)
HUGE = np.full(6, 1e150)


def odd(message):
    """Return a reply that is hardly one: no answer in it, a number for a record, a ticket that is none."""
    return Message(RecordDict({"vector": ArrayRecord([GOOD])}), reply_to=message)


@pytest.mark.parametrize(
    "bad",
    [
        lambda m: [],
        lambda m: [odd(m)],
        lambda m: [reply(m, GOOD, ticket="0" * 32)],
        lambda m: [reply(m, GOOD, ticket=5)],
        lambda m: [reply(m, [np.nan] * 6)],
        lambda m: [reply(m, [np.inf] * 6)],
        lambda m: [reply(m, [1e308] * 6)],
        lambda m: [reply(m, np.ones(5))],
        lambda m: [reply(m, np.ones((1, 6)))],
        lambda m: [reply(m, np.ones(1000))],
        lambda m: [reply(m, np.array(["1"] * 6))],
        lambda m: [reply(m, np.ones(6) * 1j)],
        lambda m: [reply(m, GOOD, reason="forged\nRound 1 of 3: ε = 0")],
        lambda m: [reply(m)],
        lambda m: [Message(Error(2, "broken"), reply_to=m)],
    ],
)
def test_unusable_messages_count_as_zero_and_are_logged(bad, caplog):
    def answer(message):
        return bad(message) if number(message) == 1 else [reply(message, GOOD)]

    with caplog.at_level("WARNING", "flwr"):
        _, _, found = ran(answer)
    for _, sent, _ in found:
        np.testing.assert_array_equal(sent, [GOOD, 0 * GOOD, GOOD])
    assert "agent 1" in caplog.text.lower()
    assert "forged" not in caplog.text


def test_long_vector_is_clipped_by_the_server_too():
    _, _, found = ran(lambda message: [reply(message, HUGE if number(message) == 1 else 0 * GOOD)])
    for _, _, turn in found:
        expected = turn.weights[0, 1] * SETTINGS.S * HUGE / np.linalg.norm(HUGE)
        np.testing.assert_allclose(turn.broadcast.vectors[0], expected, rtol=1e-9)


def test_late_repeated_and_forged_answers_are_dropped():
    """Agent 1 sends what others sent before, once more: an earlier ticket, the same ticket twice, another's message."""
    earlier = []

    def answer(message):
        mine = reply(message, GOOD if number(message) != 1 else HUGE)
        if number(message) != 1:
            return [mine]
        found = [mine, *earlier, reply(message, GOOD)]
        earlier.append(mine)
        return found

    _, _, found = ran(answer)
    for _, sent, _ in found:
        np.testing.assert_array_equal(sent, [GOOD, HUGE, GOOD])


def test_every_connected_agent_is_asked_alike():
    sparse = replace(SETTINGS, q=0.2)
    for _ in range(5):
        net, _, _ = ran(lambda message: [reply(message, GOOD)], sparse)
        for exchange in filter(None, net.sent):
            assert len(exchange) == 3
            told = [dict(message.content["round"]) for message in exchange]
            assert len({each.pop("ticket") for each in told}) == 3
            assert [each.pop("agent") for each in told] == [0, 1, 2]
            assert told[0] == told[1] == told[2]
    net, _, _ = ran(lambda message: [reply(message, GOOD)], sparse, online=NODES[1:])
    assert all(len(exchange) == 2 for exchange in filter(None, net.sent))


def test_a_strategy_runs_once():
    strategy = flower.DPFTSDE(POINTS, SETTINGS, NODES)
    strategy.run(Net(lambda message: []))
    with pytest.raises(pb.DataError, match="begun already"):
        strategy.run(Net(lambda message: []))
    with pytest.raises(pb.DataError, match="cannot follow"):
        strategy.configure_train(1, ArrayRecord(), ConfigRecord(), Net(lambda message: []))


def context(run=RUN, of=RUN):
    return Context(run_id=of, node_id=22, node_config={"run": str(run)}, state=RecordDict(), run_config={})


def question(t, token="a", agent=1, vectors=None):
    said = {"token": token, "ticket": f"ticket-{t}", "t": t, "agent": agent, "agents": 3}
    content = RecordDict({"round": ConfigRecord(said)})
    if t:
        content["broadcast"] = ArrayRecord([np.zeros((1, 6)) if vectors is None else vectors])
    message = Message(content, 22, MessageType.TRAIN)
    message.metadata.__dict__["_message_id"] = f"message-{t}"
    return message


def answered(app, message, at):
    found = app(message, at).content
    return found["answer"], found["vector"].to_numpy_ndarrays()[0] if "vector" in found else None


def test_agent_answers_one_server_and_each_round_once():
    tried = []
    app = flower.client_app(POINTS, SETTINGS, lambda point, config: tried.append(point[0]) or float(point[0]))
    at = context()
    said, vector = answered(app, question(0), at)
    assert said["ticket"] == "ticket-0"
    assert np.linalg.norm(vector) <= SETTINGS.S * (1 + 1e-12)
    assert len(tried) == 2
    for refused in (question(0), question(1, token="b"), question(1, agent=2)):
        said, vector = answered(app, refused, at)
        assert (said["reason"], vector) == (flower.OTHER_RUN, None)
    assert len(tried) == 2
    assert answered(app, question(1), at)[1] is not None
    assert answered(app, question(3), at)[1] is None  # after the last round there is nothing to send
    assert len(tried) == 4
    for elsewhere in (context(of=RUN + 1), Context(RUN, 22, {}, RecordDict(), {})):
        said, vector = answered(app, question(0), elsewhere)
        assert (said["reason"], vector) == (flower.OTHER_RUN, None)
        assert "memory" not in elsewhere.state
    assert len(tried) == 4


def test_failing_objective_silences_its_agent(caplog):
    fates = iter([1.0, RuntimeError("secret 42"), np.nan, "no number", 2.0, 3.0])

    def objective(point, config):
        fate = next(fates)
        if isinstance(fate, Exception):
            raise fate
        return fate

    app, at = flower.client_app(POINTS, SETTINGS, objective), context()
    for t in (0, 1, 2):
        reply_of = app(question(t), at)
        assert dict(reply_of.content["answer"]) == {"ticket": f"ticket-{t}", "reason": flower.FAILED}
        assert "vector" not in reply_of.content
    assert at.state["memory"]["outcomes"] == [1.0]
    assert answered(app, question(3), at)[0].get("reason") is None
    assert at.state["memory"]["outcomes"] == [1.0, 2.0]

    at, fates = context(), iter([np.nan, np.nan, 1.0, 2.0, 3.0])
    assert answered(app, question(0), at)[0]["reason"] == flower.FAILED
    assert answered(app, question(1), at)[1] is not None  # begins anew, as one that comes late


test_bad_input_is_named = refusals(
    (lambda: flower.DPFTSDE(POINTS, SETTINGS, [1]), "at least 2"),
    (lambda: flower.DPFTSDE(POINTS, SETTINGS, [1, 1]), "names a node twice"),
    (lambda: flower.DPFTSDE(POINTS, replace(SETTINGS, P=4), [1, 2, 3]), "P is 4"),
    (lambda: flower.DPFTSDE(POINTS, SETTINGS, [1, 2], 0.0), "round_seconds"),
    (lambda: flower.DPFTSDE(POINTS, replace(SETTINGS, decay=np.inf), [1, 2]), "work alone"),
    (lambda: flower.client_app(POINTS, replace(SETTINGS, decay=np.inf), None), "work alone"),
    (lambda: flower.client_app([[np.nan], [1.0]], SETTINGS, None), "points holds nan"),
    (lambda: flower._node_ids("1 two"), "node IDs, separated by spaces"),
)
