"""A page without a browser, opened in one run as by somebody who has its address."""

from streamlit.testing.v1 import AppTest

from pages.ui.layout import ENTERED
from tests.helpers.paths import APP

PATIENCE = 300  # Seconds, for a machine that is busy with something else.


_run = AppTest._run


def faultless(app, *how, **more):
    """Run a page, whoever asks for it, and see that it comes to its end.

    Each run goes through app.py, as on a server. A test would run a page's file by itself once it has been there.
    """
    if ENTERED in app.session_state:
        del app.session_state[ENTERED]
    ran = _run(app, *how, **more)
    assert not ran.exception, [each.value for each in ran.exception]
    return ran


AppTest._run = faultless


def open_page(page, state=None, **query):
    """Open a page of ``pages/``; return it when it has run.

    Args:
        page: The name of its file, without ending.
        state: What the session holds before: sliders, a table of one's own.
        query: What stands in the address, but ``page``.

    """
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    app.switch_page(f"pages/{page}.py")
    for name, value in query.items():
        app.query_params[name] = str(value)
    for key, value in (state or {}).items():
        app.session_state[key] = value
    return app.run()
