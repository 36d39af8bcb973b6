"""A party at the Workbench: a browser that shares nothing with the others', and what hands do in it."""

import re

OF_STREAMLIT = "/_stcore/"
"""Where Streamlit looks for its server on every page below the first before it finds it."""
AT_REST = """() => {
  const now = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning';
  const begun = document.querySelector('.st-key-seats');
  window.still = now && begun ? (window.still ?? 0) + 1 : 0;
  return window.still >= 4;
}"""


class Party:
    """A visitor with a browser of their own. What they download is returned, and kept nowhere else."""

    def __init__(self, browser, address):
        self._context = browser.new_context(viewport={"width": 1440, "height": 900})
        self.page = self._context.new_page()
        self.page.set_default_timeout(90_000)
        self.complaints = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._heard)
        self.page.goto(address)

    def _heard(self, message):
        if message.type == "error" and OF_STREAMLIT not in message.location["url"]:
            self.complaints.append(f"{message.text} {message.location['url']}")

    def leave(self):
        """Close the browser, in which there must have been no error."""
        self._context.close()
        assert not self.complaints, self.complaints

    def rest(self):
        """Wait until the server has computed everything."""
        self.page.evaluate("window.still = 0")
        self.page.wait_for_function(AT_REST, polling=50)

    def button(self, name):
        """Return the first button whose name begins like this."""
        return self.page.get_by_role("button", name=re.compile(f"^{name}")).first

    def press(self, name, then=None, gone=None):
        """Press a button; wait until another one is there, or gone, because of it, and nothing goes on any more."""
        self.button(name).click()
        if then:
            self.button(then).wait_for()
        if gone:
            self.button(gone).wait_for(state="detached")
        self.rest()

    def bring(self, label, name, content):
        """Bring a file to the place with this label, once the page rests, and wait until the server has it."""
        self.rest()
        place = self.page.get_by_test_id("stFileUploader").filter(has_text=label)
        with self.page.expect_response(lambda answer: answer.request.method == "PUT"):
            place.locator("input[type=file]").set_input_files(
                {"name": name, "mimeType": "application/octet-stream", "buffer": content}
            )
        place.get_by_text(name, exact=True).first.wait_for()  # the page may be about to draw it anew

    def type(self, label, text):
        """Type into the field whose label has these words."""
        self.page.get_by_role("textbox", name=label).fill(text)

    def download(self, name):
        """Return what the first button that is called like this hands out."""
        with self.page.expect_download() as started:
            self.button(name).click()
        return started.value.path().read_bytes()

    def complaint(self, *words):
        """Return what the page complains of, once it is about this; there must be one complaint."""
        alerts = self.page.get_by_test_id("stAlertContentError")
        about = alerts
        for word in words:
            about = about.filter(has_text=word)
        about.first.wait_for()
        self.rest()
        assert alerts.count() == 1, alerts.all_inner_texts()
        return alerts.inner_text()
