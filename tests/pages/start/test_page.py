"""The Start page without a browser: a story for each system, with a picture that a browser can draw."""

import re
from base64 import b64decode
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import numpy as np
import pytest

import privbo_core as pb
from pages.parts import systems
from pages.parts.start import simple
from pages.parts.start.simple import blurred, picture
from pages.parts.views.picture import DARK, LIGHT
from pages.parts.views.templates import render
from tests.helpers.opening import open_page
from tests.helpers.paths import APP
from tests.helpers.reading import html, numbers

DOOR = "a table of one's own"
SVG = "{http://www.w3.org/2000/svg}"


def test_start_tells_the_story_of_each_system_and_how_to_read_a_page():
    text = html(open_page("start"))
    places = [text.index(system.story.heading) for system in systems.SYSTEMS]
    assert places == sorted(places)
    assert text.count("data:image/svg+xml;base64,") == len(systems.SYSTEMS) == 3
    assert "<strong>" in text
    assert "**" not in text
    for badge in ("curator", "share", "simulation"):
        assert f'class="pb-badge pb-{badge}"' in text


def test_each_link_leads_to_a_page():
    links = [link for system in systems.SYSTEMS for link in system.story.links]
    assert all((Path(APP).parent / link.page).exists() for link in links)
    shown = open_page("start").get("page_link")
    pages = ["pages/data.py", *(system.page for system in systems.SYSTEMS), *(link.page for link in links)]
    assert [link.proto.page for link in shown] == [Path(page).stem for page in pages]


def test_nobody_waits_for_a_number_to_read_the_cards(monkeypatch):
    order = []

    def telling(story):
        def line(epsilon):
            order.append(story.heading)
            return story.line(epsilon)

        return replace(story, line=line)

    told = tuple(replace(system, story=telling(system.story)) for system in systems.SYSTEMS)
    door = simple.offer_door
    monkeypatch.setattr(systems, "SYSTEMS", told)
    monkeypatch.setattr(simple, "offer_door", lambda **view: (order.append(DOOR), door(**view)))
    simple.known_cards.clear()
    app = open_page("start", view="simple")
    text = html(app)
    assert order == [DOOR, *(system.story.heading for system in told)]
    assert len(re.findall(r'<span class="pb-number">[0-9]+</span>', text)) == 3
    assert "…" not in "".join(re.findall(r'<span class="pb-number">.*?</span>', text))
    app.run()
    assert len(order) == 5, "each number is computed once"


def test_visitors_who_come_at_the_same_moment_share_no_half_a_card(monkeypatch):
    """While one is being told a number, before its ε is known, another comes."""
    came = []

    def interrupted(story):
        def delta():
            if not came:
                came.append(None)
                came.append(open_page("start", view="simple"))
            return story.delta()

        return replace(story, delta=delta)

    told = [
        replace(system, story=interrupted(system.story) if system.story.delta else system.story)
        for system in systems.SYSTEMS
    ]
    monkeypatch.setattr(systems, "SYSTEMS", tuple(told))
    simple.known_cards.clear()
    first = html(open_page("start", view="simple"))
    assert len(came) == 2
    for text in (first, html(came[1])):
        assert "…" not in "".join(re.findall(r'<span class="pb-number">.*?</span>', text))


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("system", systems.SYSTEMS, ids=lambda system: system.name)
def test_each_picture_is_an_image_in_the_theme_s_colours_and_is_told_to_those_who_cannot_see_it(system, palette):
    for template in (system.story.picture, system.story.drawing, "start_table.html"):
        drawing = ElementTree.fromstring(render(template, colours=palette))
        assert drawing.tag == f"{SVG}svg"
        used = {value for each in drawing.iter() for value in each.attrib.values() if value.startswith("#")}
        assert used <= set(vars(palette).values())
        image = re.fullmatch(
            r'<img src="data:image/svg\+xml;base64,([^"]+)" alt="[^"]+" style="width:100%">', picture(template)
        )
        ElementTree.fromstring(b64decode(image[1]))
        if template == system.story.picture:
            assert all(text.attrib["fill"] == palette.text for text in drawing.iter(f"{SVG}text"))


@pytest.mark.parametrize(("epsilon", "cost"), [(1, 8), (7.2, 1)])
def test_in_simple_each_card_gives_numbers_that_were_computed_at_the_epsilon_it_says(epsilon, cost):
    app = open_page("start", {"blur/last": {"epsilon": float(epsilon)}}, view="simple")
    text = unescape(html(app))
    grades = pb.federated.grades()
    lines = {
        "outsourced": pb.privacy.TradeOff.gaussian(1 / pb.privacy.gaussian_sigma(epsilon, 1e-5, 1.0)),
        "release": pb.privacy.TradeOff.of(epsilon, 0.0),
        "federated": pb.federated.trade_off(pb.federated.GRADES_START.settings(grades), 237),
    }
    right = [f"{100 * (1 - line.least_error(0.5)):.0f}".replace("100", "over 99") for line in lines.values()]
    assert re.findall(r'class="pb-number">([^<]+)<', text) == right
    cards = [re.sub(r"<[^>]+>", " ", each.proto.body) for each in app.get("html") if '"pb-number"' in each.proto.body]
    assert [numbers(card)[-1] for card in cards] == [epsilon, epsilon, 1.82]  # the slider does not move the last one
    more_tests = systems.SYSTEMS[0].story.cost(epsilon)
    assert numbers(more_tests) == [cost]
    assert f"{more_tests}." in text
    for system in systems.SYSTEMS:
        assert f"</b> {system.story.protected}." in text
    assert text.count("data:image/svg+xml;base64,") == 4

    # Each opens its story on its own data, in Expert too.
    links = [(each.proto.page, dict(parse_qsl(each.proto.query_string))) for each in app.get("page_link")]
    for page, query in {
        "outsourced": {"data": "hospital", "epsilon": f"{epsilon}", "delta": "1e-05"},
        "release": {"epsilon": f"{epsilon}"}, "federated": {"agents": "grades", "z": "1.65"},
        "tour": {}, "data": {"bring": "table"}
    }.items():  # fmt: skip
        assert (page, {"view": "simple", **query}) in links
    # Whoever knows the papers is one click away from each one's picture with all its sliders.
    for system in systems.SYSTEMS:
        assert (Path(system.page).stem, {**system.story.links[0].query, "view": "expert"}) in links
    links = [link for system in systems.SYSTEMS for link in system.story.links]
    brought = {(link.page, link.query.get("data") or link.query.get("agents")) for link in links}
    assert brought >= {(f"pages/{page}.py", "hospital") for page in ("outsourced", "audit")}
    assert ("pages/federated.py", "grades") in brought


def test_the_picture_on_start_moves_while_one_drags_and_blurs_more_the_less_may_leak():
    few, many = (blurred(epsilon).data for epsilon in (0.5, 5.0))
    spans = [[np.ptp(drawn[1][axis]) for axis in "xy"] for drawn in (few, many)]
    assert spans[0][0] > 3 * spans[1][0]
    assert spans[0][1] > 3 * spans[1][1]
    assert few[2] == many[2]  # the record itself stays where it is
    app = open_page("start", view="simple")
    panels = [each for each in app.get("bidi_component") if "blur" in str(each.proto.id)]
    assert len([panel for panel in panels if "sliders" in str(panel.proto)]) == 1
