"""Addresses that nobody would type."""

import asyncio
from urllib.parse import quote

import pytest

from tests.helpers.visitor import Visitor, ask

PAGES = (
    "",
    "data",
    "outsourced",
    "release",
    "federated",
    "tradeoff",
    "audit",
    "reproduce",
    "tour",
    "workbench",
    "decision",
)

ODD = [
    "epsilon=<script>alert(1)</script>&data=<img src=x onerror=alert(1)>&task=%3Cb%3E&agents=%3Cb%3E",
    "epsilon=nan&r=inf&T=-inf&runs=1e999&delta=-1&q=NaN&z=Infinity&N=1e308&P=3",
    "epsilon=&r=&T=&data=&task=&agents=&algorithm=&release=&audited=&federated_runs=",
    "epsilon=1&epsilon=2&epsilon=3&data=loans&data=homes&algorithm=1&algorithm=2",
    "r=2.5&T=" + "9" * 5000 + "&runs=0x10&delta=1e-400",
    "data=../../../../etc/passwd&task=..%2f..%2fetc%2fpasswd&agents=own&audited=%00",
    "epsilon=" + "A" * 100_000,
    "%ff%fe=%80&&&==&;%=%zz&=1&epsilon=%F0%9F%92%A9",
    "data=own&task=my+scores&agents=Your+own+table&algorithm=3+Lipschitz&paper=none&publish=everything",
    "&".join(f"a{k}={k}" for k in range(3000)),
]


ODD_VIEWS = [
    "view=",
    "view=%3Cscript%3Ealert(1)&epsilon=2&candidates=%3Cscript%3Ealert(1),,nan,1e999&decided=%3Cb%3E",
    "view=simple&view=expert&view=Simple",
    "view=" + "A" * 100_000,
]


async def visit(server, page, query):
    """Come to a page at an address, and see that there is one."""
    visitor = await Visitor.arrive(server.port, page, query)
    await visitor.until(lambda: visitor.words and (page in ("", "data") or visitor.pictures or not visitor.running))
    await visitor.leave()
    assert not visitor.errors
    assert not any("<script>alert" in text or "<img src=x" in text for text in visitor.html)


async def visit_all(server, query):
    """Come to all pages at once."""
    await asyncio.gather(*(visit(server, page, query) for page in PAGES))


@pytest.mark.parametrize("view", ["expert", "simple"])
@pytest.mark.parametrize("query", ODD, ids=range(len(ODD)))
def test_any_query_gives_a_page(server, query, view):
    asyncio.run(visit_all(server, f"{query}&view={view}"))


@pytest.mark.parametrize("query", ODD_VIEWS, ids=range(len(ODD_VIEWS)))
def test_a_depth_that_there_is_not_gives_a_page(server, query):
    asyncio.run(visit_all(server, query))


@pytest.mark.parametrize(
    "page", ["nowhere", "../app", "outsourced/../../etc/passwd", "<b>", "pages/parts/show/chart", "x" * 5000]
)
def test_a_page_that_does_not_exist_leads_to_the_start(server, page):
    async def visit():
        visitor = await Visitor.arrive(server.port, page)
        await visitor.until(lambda: visitor.words and not visitor.running)
        assert not visitor.errors
        await visitor.leave()

    asyncio.run(visit())


ROOTS = ("/app/static/", "/_stcore/component/", "/_stcore/bidi-components/", "/media/", "/component/")
WAYS = ("..", "%2e%2e", "%252e%252e", "..%2f..", "..%5c..", "%c0%ae%c0%ae", "....//", "/")
SECRETS = (b"enter()", b"maxUploadSize", b"root:")


@pytest.mark.parametrize("root", ROOTS)
def test_no_file_but_those_in_static_is_served(server, root):
    assert ask(server.port, "GET", "/app/static/icon.svg")[0] == 200
    for way in WAYS:
        for target in ("app.py", ".streamlit/config.toml", "../../../../etc/passwd"):
            for path in (
                f"{root}{way}/{target}",
                f"{root}x/{way}/{way}/{target}",
                f"{root}{quote(way)}/{target}%00.js",
            ):
                status, _, content = ask(server.port, "GET", path)
                assert status < 500, path
                assert not any(secret in content for secret in SECRETS), path
