"""Files that name addresses wherever they say something: no page calls one."""

from tests.helpers.hands import bring, turn_to, within
from tests.helpers.named import Named
from tests.helpers.waiting import quiet, rest, until

CALLS = """there => {
  const found = [];
  const look = (root) => root.querySelectorAll('*').forEach((each) => {
    for (const { name, value } of each.attributes) {
      const calls = /^(src|srcset|href|xlink:href|data|action|poster|style)$/.test(name);
      if (calls && value.includes(there)) found.push(each.outerHTML.slice(0, 300));
    }
    if (each.shadowRoot) look(each.shadowRoot);
  });
  look(document);
  return found;
}"""


class Called(Named):
    """What things are called in hostile files, and the files."""

    def __init__(self, there):
        self.there = there
        super().__init__(self.said)

    def said(self, what):
        """Return a name that would be a link, a picture, a style or an element if it were anything but text."""
        there = self.there
        return (
            f"{what} {there}/auto ![x]({there}/md) <img src='{there}/img'> <a href='{there}/a'>b</a> "
            f"<b style='mask:url({there}/mask)'>c</b>"
        )


def put(page, name, content):
    """Bring a file to the last place for its kind, and wait until the page has made of it what it can."""
    quiet(page, polling=50)
    place = page.locator(f"input[type=file][accept*='.{name.rpartition('.')[2]}']").last
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        bring(place, name, content)
    quiet(page, polling=50)


def test_no_address_in_a_file_is_called_or_led_to(app, page, listener):
    there = f"http://127.0.0.1:{listener.server_port}"
    named, asked = Called(there), []
    page.context.on("request", lambda request: asked.append(request.url))

    def harmless(where):
        quiet(page, polling=50)
        body = page.locator("body")  # what it is called is shown, as text
        until(page, lambda: where if f"{there}/auto" in body.inner_text().replace("\u2060", "") else "nothing", where)
        assert page.evaluate(CALLS, there) == [], where

    page.goto(f"{app}/data?bring=table")
    put(page, "mine.csv", named.table)
    within(page, "clear").wait_for()
    rest(page)
    harmless("Data")
    turn_to(page, "outsourced")
    page.get_by_role("radio", name="Noisy release").click()  # whose guarantee names the columns
    harmless("Outsourced")
    assert listener.asked == []
    assert [url for url in asked if url.startswith(there)] == []
