"""Each view that a kit names opens in exactly the state that the kit names."""

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kits.kit import Link
from pages.parts.kits.shelf import KITS

APP = str(Path(__file__).parents[3] / "app.py")
LINKS = list(dict.fromkeys(link for kit in KITS for link in kit.links))


def name_of(link):
    return link.address("")


@pytest.mark.parametrize("link", LINKS, ids=name_of)
def test_a_link_opens_its_page_as_it_says(link: Link):
    parts = urlsplit(link.address("https://somewhere.example/app"))
    assert parts.path == f"/app/{link.page}"
    asked = dict(parse_qsl(parts.query))
    assert asked == dict(link.settings)
    app = AppTest.from_file(APP, default_timeout=120)
    app.switch_page(f"pages/{link.page}.py")
    for name, value in asked.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    said = [notice.value for notice in [*app.info, *app.warning, *app.error]]
    assert not [sentence for sentence in said if "The address asks" in sentence]
    shown = {name: values[0] if isinstance(values, list) else values for name, values in app.query_params.items()}
    for name, value in asked.items():
        assert shown.get(name) == value, f"{name} is {shown.get(name)}"


@pytest.mark.parametrize("kit", [kit for kit in KITS if kit.what == "lesson"], ids=lambda kit: kit.name)
def test_a_lesson_s_kit_leads_through_all_its_steps_in_their_order(kit):
    steps = [int(dict(link.settings)["step"]) for stretch in kit.long for link in stretch.links if link.page == "tour"]
    assert steps == sorted(steps)
    assert steps == list(range(1, len(steps) + 1))
    short = [int(dict(link.settings)["step"]) for stretch in kit.short for link in stretch.links]
    assert short == sorted(set(short))
    assert all(dict(link.settings)["lesson"] == kit.name for link in kit.links if link.page == "tour")
