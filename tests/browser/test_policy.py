"""Whatever stands on a page, it loads nothing from another server: not from one that listens on this very machine."""

import pytest

MARKUP = {
    "img": "<img src=THERE>",
    "srcset": "<img srcset='THERE 1x'>",
    "svg": "<svg><image href=THERE width=9 height=9></image></svg>",
    "background": "<p style='background: url(THERE)'>x</p>",
    "mask": "<p style='mask: url(THERE)'>x</p>",
    "content": "<style>.p9::before { content: url(THERE) }</style><p class=p9></p>",
    "import": "<style>@import 'THERE';</style>",
    "font": "<style>@font-face { font-family: f9; src: url(THERE) }</style><p style='font-family: f9'>x</p>",
    "sheet": "<link rel=stylesheet href=THERE>",
    "frame": "<iframe src=THERE></iframe>",
    "object": "<object data=THERE></object>",
    "embed": "<embed src=THERE>",
    "video": "<video src=THERE preload=auto></video>",
    "audio": "<audio src=THERE preload=auto></audio>",
    "button": "<input type=image src=THERE>",
}
SCRIPTS = {
    "script": "document.body.append(Object.assign(document.createElement('script'), { src: there }))",
    "fetch": "fetch(there).catch(() => 0)",
    "beacon": "navigator.sendBeacon(there, 'x')",
    "events": "new EventSource(there)",
    "module": "import(there).catch(() => 0)",
    "socket": "new WebSocket(there.replace('http', 'ws'))",
}
WATCH = (
    "document.addEventListener('securitypolicyviolation', (event) => (window.refused ??= []).push(event.blockedURI))"
)


@pytest.mark.parametrize("guarded", [True, False])
def test_what_is_put_on_a_page_calls_nobody(listener, app, browser, guarded):
    there = f"http://127.0.0.1:{listener.server_port}"
    page = browser.new_page()
    page.add_init_script(WATCH)
    if guarded:
        page.goto(f"{app}/data")
        page.get_by_role("heading").first.wait_for()
        assert page.evaluate("window.refused") is None, "of the app itself nothing is refused"
    else:
        page.set_content("<p>A page without a policy: each of these does call.</p>")
    for name, markup in MARKUP.items():
        markup = markup.replace("THERE", f"{there}/{name}")
        page.evaluate("markup => document.body.insertAdjacentHTML('beforeend', markup)", markup)
    for name, script in SCRIPTS.items():
        page.evaluate(f"there => {{ {script} }}", f"{there}/{name}")
    for _ in range(300):
        if len(page.evaluate("window.refused ?? []")) + len({*listener.asked}) >= len(MARKUP | SCRIPTS):
            break
        page.wait_for_timeout(200)
    page.close()
    assert {*listener.asked} == (set() if guarded else {*MARKUP, *SCRIPTS})
