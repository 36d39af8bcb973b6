"""Messages that the browser would never send."""

import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.helpers.hostile_reports import BAD, EVERY, GOOD, REPORTS
from tests.helpers.numbers import tells
from tests.helpers.visitor import Visitor, left

PAGES = ("outsourced", "release", "federated", "tradeoff", "audit")
SHORT = {"T": 10, "runs": 5, "N": 20}  # searches that come to an end soon
DEBUGGING = "debug_shutdown_runtime debug_disconnect_websocket"
COMMANDS = f"stop_script load_git_info set_run_on_save app_heartbeat {DEBUGGING}".split()


async def arrived(server, page):
    visitor = await Visitor.arrive(server.port, page, SHORT)
    await visitor.until(lambda: page in visitor.panels)
    return visitor


ONE_READER = [None, {"values": dict(zip(EVERY, BAD, strict=False)), **GOOD}, REPORTS[-1]]
"""Enough where the panels of several pages are read by the same function, and only the sliders differ."""
WHOLE = ("outsourced", "release")


@pytest.mark.parametrize(("page", "shapes"), [(page, REPORTS if page in WHOLE else ONE_READER) for page in PAGES])
async def test_any_state_of_the_sliders_leaves_settings_in_place(server, page, shapes):
    visitor = await arrived(server, page)
    before = {slider["key"]: slider["value"] for slider in visitor.panels[page][1]["sliders"]}
    for shape in shapes:
        await visitor.after(visitor.tell(shape))
    await visitor.see_moved({}, held=False)
    await visitor.tell({"values": {}, "number": 12345, "dragging": False})
    await visitor.until(lambda: visitor.answered == 12345)
    after = {slider["key"]: slider["value"] for slider in visitor.panels[page][1]["sliders"]}
    assert not visitor.errors
    assert after.keys() == before.keys()
    assert all(isinstance(value, (int, float)) for value in after.values())
    await visitor.leave()


@pytest.mark.parametrize("page", ["outsourced", "release"])
async def test_a_value_that_cannot_be_used_gets_a_sentence_and_the_old_one_stays(server, page):
    visitor = await arrived(server, page)
    await visitor.see_moved({"epsilon": 5})
    for bad in (float("nan"), "many", [1], 10**300):
        await visitor.see_moved({"epsilon": bad})
        _, data = visitor.panels[page]
        slider = next(each for each in data["sliders"] if each["key"] == "epsilon")
        assert tells(data["errors"]["epsilon"], slider["min"], slider["max"])
        assert slider["value"] == 5
    await visitor.leave()


def dot(visitor, slider):
    """Return where a dot on the condition is now."""
    handles = {each["slider"]: each["value"] for each in visitor.pictures["condition"].figure["handles"]}
    return handles[slider]


WRONG = {
    "selectbox": ["<nothing of the kind>", "", "own"],
    "button_group": [["<nothing>", "of", "the kind"], [], ["simple", "cumulative"]],
    "radio": ["<nothing of the kind>"],
    "tab_container": ["nothing"],
}


async def test_choices_that_are_not_offered_leave_the_page_standing(server):
    async def visit(page):
        visitor = await Visitor.arrive(server.port, page, SHORT)
        await visitor.until(lambda: visitor.widgets and visitor.pictures)
        for identity, kind in dict(visitor.widgets).items():
            for value in WRONG.get(kind, []):
                message = visitor.request()
                state = message.rerun_script.widget_states.widgets.add(id=identity)
                if isinstance(value, list):
                    state.string_array_value.data.extend(value)
                    state.string_array_value.SetInParent()
                else:
                    state.string_value = value
                await visitor.after(visitor.send(message), lambda: visitor.words or visitor.errors)
                assert not visitor.errors, (identity, value)
        await visitor.after(visitor.rerun())
        await left(visitor)

    await asyncio.gather(*map(visit, (*PAGES, "data", "papers", "tour")))


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("json_value", "[1, 2"),
        ("json_value", "[" * 100_000),
        ("json_value", '{"report": ' + "1" * 5000 + "}"),
        ("json_value", '{"report": {"values": ' + '{"a": ' * 5000 + "1" + "}" * 5000 + "}}"),
        ("int_value", 7),
        ("bytes_value", b"\xff"),
    ],
)
async def test_a_state_that_nobody_can_read_hurts_its_sender_alone(server, nothing_breaks, field, text):
    # Streamlit reads the state before the page does, and gives up; the sender has to load the page again.
    nothing_breaks.extend(["JSONDecodeError", "RecursionError", "Exceeds the limit", "TypeError: "])
    visitor, other = await arrived(server, "outsourced"), await arrived(server, "outsourced")
    message = visitor.request()
    message.rerun_script.widget_states.widgets.add(id=visitor.panels["outsourced"][0], **{field: text})
    await visitor.after(visitor.send(message))
    await other.see_moved({"r": 33})
    assert not other.errors
    await visitor.leave()
    await other.leave()


async def test_unknown_pages_widgets_and_fragments_are_survived(server):
    visitor = await arrived(server, "outsourced")
    for change in (
        {"page_script_hash": "no such hash"},
        {"page_script_hash": "0" * 32, "page_name": "../../etc/passwd"},
        {"fragment_id": "no such fragment"},
        {"is_auto_rerun": True, "fragment_id": "x"},
        {"cached_message_hashes": ["nothing"] * 5000},
        {"query_string": "%ff" * 1000},
    ):
        message = visitor.request()
        for name, value in change.items():
            if isinstance(value, list):
                getattr(message.rerun_script, name).extend(value)
            else:
                setattr(message.rerun_script, name, value)
        runs = visitor.runs
        await visitor.send(message)
        if "fragment_id" not in change:
            await visitor.until(lambda r=runs: visitor.runs > r)
    message = visitor.request()
    for k in range(20_000):
        message.rerun_script.widget_states.widgets.add(id=f"$$ID-{k}", string_value="x" * 20)
    await visitor.send(message)
    await visitor.send(BackMsg())
    for asked in COMMANDS:
        await visitor.send(BackMsg(**{asked: True}))
    visitor.hash = ""
    await visitor.after(visitor.rerun(), lambda: visitor.words and not visitor.running)
    await left(visitor)


async def test_a_visitor_cannot_empty_what_others_are_using(server):
    one, other = await arrived(server, "outsourced"), await arrived(server, "federated")
    for _ in range(2):
        await one.send(BackMsg(clear_cache=True))
        await one.rerun()
        await other.see_moved({"q": 0.3})
    await left(one, other)


async def test_a_hundred_changes_at_once_end_with_the_last(server):
    visitor = await arrived(server, "outsourced")
    for k in range(100):
        await visitor.move({"r": 1 + k % 90}, held=True)
    await visitor.see_moved({"r": 42})
    assert dot(visitor, "r") == 42
    await visitor.leave()


async def test_somebody_elses_session_cannot_be_guessed(server):
    visitor = await Visitor.arrive(server.port, "outsourced", session="00000000-0000-4000-8000-000000000000")
    await visitor.until(lambda: visitor.session)
    assert visitor.session != "00000000-0000-4000-8000-000000000000"
    await visitor.leave()


@pytest.mark.parametrize("garbage", [b"\xff" * 100, b"\x0a\xff\xff\xff\xff\x0f", bytes(range(256)) * 4000])
async def test_garbage_ends_that_connection_alone(server, garbage):
    visitor, other = await arrived(server, "outsourced"), await arrived(server, "release")
    await visitor.send(garbage)
    with pytest.raises(ConnectionError):
        await visitor.until(lambda: False, 20)
    await other.see_moved({"epsilon": 4})
    await other.leave()
