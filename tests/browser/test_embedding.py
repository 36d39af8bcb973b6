"""The app in a frame on a page of another site: there if the site is listed, and nowhere else."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import expect

from tests.helpers.serving import serving


@contextmanager
def another_site(app):
    """Serve a page with the app in a frame, under a name that a browser takes for another site; yield its origin."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<iframe src='{app()}/' width=1200 height=800></iframe>".encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_only_a_listed_site_shows_the_app_in_a_frame(app, browser, tmp_path, monkeypatch):
    addresses = [app]
    with another_site(lambda: addresses[-1]) as site, browser.new_context() as visits:
        page, said = visits.new_page(), []
        page.on("console", lambda message: said.append(message.text))
        with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
            page.goto(site)

        monkeypatch.setenv("PRIVBO_DEMO", "1")
        monkeypatch.setenv("PRIVBO_EMBED", site)
        with serving(tmp_path) as demonstration:
            addresses.append(demonstration.address)
            said.clear()
            page.goto(site)
            inside = page.frame_locator("iframe")
            expect(inside.get_by_role("heading", level=1)).to_be_visible()
            inside.get_by_role("link", name="Explore the team").click()
            expect(inside.get_by_role("combobox", name="What is tuned")).to_be_visible()
            assert not [text for text in said if "frame-ancestors" in text]
