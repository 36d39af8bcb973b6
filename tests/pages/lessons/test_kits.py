"""What a kit holds, and the file that it is handed out as."""

import re
from datetime import UTC, datetime

import pytest

from pages.parts.lessons import kits
from pages.parts.lessons.kits import Link, Stretch, app_address, elsewhere, page_of, read_kit, timed
from pages.parts.views.text import unmarked
from tests.helpers import taken
from tests.helpers.kits import SOURCES
from tests.helpers.opening import open_page

KITS = [read_kit(source) for source in SOURCES.values()]
BASE = "https://school.example/privbo"
each_kit = pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)


class Reader(taken.Reader):
    """What stands in a page, and besides its elements and the addresses in it."""

    EMPTY = (*taken.Reader.EMPTY, "col")

    def __init__(self, page):
        self.elements, self.addresses = [], []
        super().__init__(page)

    def handle_starttag(self, tag, attributes):
        """Keep an element and its addresses."""
        super().handle_starttag(tag, attributes)
        self.elements.append((tag, dict(attributes)))
        self.addresses += [(tag, value) for name, value in attributes if name in ("href", "src", "action", "data")]


def made(kit, base=BASE):
    return page_of(kit, base, datetime(2026, 3, 2, 9, 30, tzinfo=UTC))


@each_kit
def test_a_kit_has_all_that_a_teacher_needs_in_minutes_that_add_up(kit):
    assert 2 <= len(kit.aims) <= 4
    assert len(kit.exercises) >= 2
    assert len(kit.doubts) >= 3
    assert all((kit.links, kit.last, kit.needs))
    assert SOURCES[kit.name].title == kit.title
    assert [sum(stretch.minutes for stretch in plan) for plan in (kit.short, kit.long)] == [20, 45]
    assert all(stretch.minutes > 0 for stretch in (*kit.short, *kit.long))
    assert [when.split("–")[1] for when, _ in timed(kit.long)][-1] == "45"


@each_kit
def test_the_file_is_whole_needs_nothing_from_outside_and_says_all_of_the_kit(kit):
    page = made(kit)
    assert page.startswith("<!DOCTYPE html>")
    reader = Reader(page)
    tags = {tag for tag, _ in reader.elements}
    assert {"html", "head", "title", "main", "h1", "h2", "table"} <= tags
    assert not tags & {"script", "img", "link", "iframe", "object", "form"}
    # Links to the app are followed by people; nothing else has an address.
    assert reader.addresses
    assert all(tag == "a" and address.startswith(f"{BASE}/") for tag, address in reader.addresses)
    style = page[page.index("<style>") : page.index("</style>")]
    assert not re.search(r"url\(|@import", style)
    assert "size: A4" in style
    policy = next(attributes["content"] for tag, attributes in reader.elements if "http-equiv" in attributes)
    assert policy.startswith("default-src 'none'")
    assert [tag for tag, _ in reader.elements].count("h1") == 1
    text = reader.text
    # Without an address links are relative to the app.
    relative = [address for _, address in Reader(made(kit, "")).addresses]
    assert len(relative) == len(reader.addresses)
    assert not any(":" in address.split("?")[0] or address.startswith("/") for address in relative)
    said = [kit.title, kit.lead, *kit.aims, kit.last, *(stretch.text for stretch in (*kit.short, *kit.long))]
    said += [part for pair in (*kit.doubts, *kit.exercises) for part in pair]
    said += [link.address(BASE) for link in kit.links]
    for sentence in said:
        assert unmarked(sentence) in text
    assert not re.search(r"\b(TODO|FIXME|TBD|XXX|lorem|undefined|None|nan)\b", text, re.IGNORECASE)
    assert "—" not in text


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://10.0.0.7:8501/tour?step=2", "http://10.0.0.7:8501"),
        ("https://school.example/privbo/tour", "https://school.example/privbo"),
        ("https://school.example/", "https://school.example"),
        ("https://school.example", "https://school.example"),
        *((url, "") for url in ("", "javascript:alert(1)/tour", "http://[/tour", "file:///tour")),
    ],
)
def test_the_app_is_where_its_pages_are(url, base):
    assert app_address(url) == base


@pytest.mark.parametrize(
    ("base", "leads"),
    [
        *((f"http://{host}", False) for host in ("127.0.0.1:8501", "127.3.2.1:8501", "[::1]:8501", "app.localhost")),
        *((base, False) for base in ("", "http://localhost:8501/privbo")),
        *((base, True) for base in ("http://10.0.0.7:8501", "http://teacher.local", "https://school.example/privbo")),
    ],
)
def test_what_is_to_be_typed_leads_there_from_any_computer(base, leads):
    assert elsewhere(base) == leads
    text = Reader(made(KITS[0], base)).text
    typed = text[text.index("to be typed") :]
    assert ("Type them behind the app’s own address" in typed) != leads
    for link in KITS[0].links:
        assert (f": {base}/{link.address('')}" if leads else f": /{link.address('')}") in typed
    for own in ("127.", "::1", "localhost"):
        assert own not in text


def test_a_setting_cannot_break_out_of_an_address_and_a_stretch_begins_where_the_last_one_ended():
    plan = (Stretch(3, "one"), Stretch(4, "two"), Stretch(1, "three"))
    assert [when for when, _ in timed(plan)] == ["0–3", "3–7", "7–8"]
    link = Link("x", "tour", (("step", '"><b>&x=1'),))
    assert link.address(BASE) == f"{BASE}/tour?step=%22%3E%3Cb%3E%26x%3D1"


def downloads(app):
    return [element.proto.label for element in app.get("download_button")]


@each_kit
def test_the_tour_offers_the_kit_of_the_lesson_that_is_chosen(kit, monkeypatch):
    offered = []
    real = kits.offer_kit
    monkeypatch.setattr("pages.parts.lessons.page.offer_kit", lambda kit: offered.append(kit.name) or real(kit))
    app = open_page("tour", lesson=kit.name, step=1, seen=0)
    assert (offered, downloads(app).count("Teacher’s kit")) == ([kit.name], 1)
