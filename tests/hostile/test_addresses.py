"""Addresses that nobody would type."""

import asyncio
import itertools
import socket
from urllib.parse import quote, urljoin

import pytest
from streamlit.proto.NewSession_pb2 import Config

from tests.helpers.serving import serving
from tests.helpers.visitor import Visitor, ask

PAGES = ("outsourced", "release", "federated", "", "data", "tradeoff", "audit", "papers", "reproduce", "tour")
ODD = [
    "epsilon=<script>alert(1)</script>&data=<img src=x onerror=alert(1)>&task=%3Cb%3E&agents=%3Cb%3E"
    "&seat=<script>alert(1)</script>&rehearse=%00&answers=%3Cb%3E&workbench_map=&decided=<img src=x>",
    "epsilon=nan&r=inf&T=-inf&runs=1e999&delta=-1&q=NaN&z=Infinity&N=1e308&P=3"
    "&data=../../../../etc/passwd&task=..%2f..%2fetc%2fpasswd&agents=own&attack=%00",
    "epsilon=&r=&T=&data=&task=&agents=&algorithm=&release=&attack=&runs="
    "&seat=rehearsal&rehearse=%ff%00&rehearse=%ED%A0%80",
    "epsilon=1&epsilon=2&epsilon=3&data=loans&data=homes&algorithm=1&algorithm=2&story=team&story=table&view=expert",
    "r=2.5&T=" + "9" * 5000 + "&runs=0x10&delta=1e-400"
    "&data=own&task=my+scores&agents=Your+own+table&algorithm=3+Lipschitz&paper=none&publish=everything",
    "epsilon=" + "A" * 100_000 + "&seat=modeler&rehearse=" + "A" * 100_000,
    "%ff%fe=%80&&&==&;%=%zz&=1&epsilon=%F0%9F%92%A9&" + "&".join(f"a{k}={k}" for k in range(3000)),
    "view=%3Cscript%3Ealert(1)&story=%3Cscript%3Ealert(1)&lesson=%3Cb%3E&step=-1e999&seen=nan&present=1e999"
    "&experiment=../../etc/passwd&bring=%00&epsilon=2&candidates=%3Cscript%3Ealert(1),,nan,1e999&decided=%3Cb%3E",
    "story=" + "A" * 100_000 + "&lesson=" + "A" * 100_000,
]  # fmt: skip
"""What is odd of one setting hides nothing that is odd of another: a page is asked for all of it at once."""


async def visit(server, page, query):
    """Come to a page at an address, and see that there is one."""
    visitor = await Visitor.arrive(server.port, page, query)
    await visitor.until(lambda: visitor.words and (page in ("", "data") or visitor.pictures or not visitor.running))
    await visitor.leave()
    assert not visitor.errors
    assert not any("<script>alert" in text or "<img src=x" in text for text in visitor.html)


@pytest.mark.parametrize("query", ODD, ids=range(len(ODD)))
async def test_any_query_gives_a_page(server, query):
    await asyncio.gather(*(visit(server, page, query) for page in PAGES))


async def test_the_very_first_visitors_may_come_at_the_same_moment(tmp_path):
    """What they need is loaded before anybody is listened to: each would load a part, and be given half of another."""
    with serving(tmp_path) as fresh:
        await asyncio.gather(*(visit(fresh, page, "") for page in PAGES))
        assert "Traceback" not in fresh.log.read_text()


async def test_a_page_that_does_not_exist_leads_to_the_start(server):
    async def come(page):
        visitor = await Visitor.arrive(server.port, page)
        await visitor.until(lambda: visitor.words and not visitor.running)
        assert not visitor.errors, page
        assert visitor.settings.show_error_links == Config.SHOW_ERROR_LINKS_FALSE
        await visitor.leave()

    nowhere = ("nowhere", "../app", "outsourced/../../etc/passwd", "<b>", "pages/ui/server", "x" * 5000)
    await asyncio.gather(*map(come, nowhere))


async def test_the_app_is_offered_to_this_machine_alone(server):
    """And nothing leaves it: the browser is not told to report how the app is used."""
    visitor = await Visitor.arrive(server.port, "data")
    await visitor.until(lambda: visitor.session)
    assert not visitor.settings.gather_usage_stats
    await visitor.leave()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.2", server.port), timeout=5)


@pytest.mark.parametrize("page", ["/", "/outsourced?T=5"])
def test_what_a_page_has_fetched_early_is_there(server, page):
    _, headers, _ = ask(server.port, "GET", page)
    target, *options = dict(headers)["link"].split("; ")
    assert {*options} == {"rel=preload", "as=script"}
    status, headers, _ = ask(server.port, "GET", urljoin(page, target.strip("<>")))
    assert (status, dict(headers)["content-type"].partition(";")[0]) == (200, "text/javascript")
    assert "link" not in dict(headers)


@pytest.mark.parametrize(("name", "place"), [("start", "./")])
def test_the_name_of_a_page_in_the_menu_leads_to_it(server, name, place):
    status, headers, _ = ask(server.port, "GET", f"/{name}?T=5&x=//elsewhere")
    assert (status, dict(headers)["location"]) == (307, f"{place}?T=5&x=//elsewhere")


ROOTS = ("/app/static/", "/_stcore/component/", "/_stcore/bidi-components/", "/media/", "/component/")
WAYS = ("..", "%2e%2e", "%252e%252e", "..%2f..", "..%5c..", "%c0%ae%c0%ae", "....//", "/")
TARGETS = ("app.py", ".streamlit/config.toml", "../../../../etc/passwd")
SECRETS = (b"enter()", b"maxUploadSize", b"root:")


def test_no_file_but_those_in_static_is_served(server):
    assert ask(server.port, "GET", "/app/static/icon.svg")[0] == 200
    for root, way, target in itertools.product(ROOTS, WAYS, TARGETS):
        for path in (f"{root}{way}/{target}", f"{root}x/{way}/{way}/{target}", f"{root}{quote(way)}/{target}%00.js"):
            status, _, content = ask(server.port, "GET", path)
            assert status < 500, path
            assert not any(secret in content for secret in SECRETS), path
