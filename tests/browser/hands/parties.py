"""Two parties at the Workbench, each in a browser that shares nothing with the other's: what their hands do there."""

import re

NOTHING_LEFT_TO_DO = """() => {
  const state = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState;
  const waits = document.querySelector('[data-testid=stFileUploader] [role=progressbar], .stSkeleton');
  window.still = state === 'notRunning' && !waits ? (window.still ?? 0) + 1 : 0;
  return window.still >= 3;
}"""


class Party:
    """A visitor with a browser of their own and a folder for what is downloaded. ``complaints``: the page's errors."""

    def __init__(self, browser, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.complaints = folder, []
        self.context = browser.new_context(viewport={"width": 1440, "height": 900})
        self.page = self.context.new_page()
        self.page.set_default_timeout(90_000)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)

    def leave(self):
        """Close the browser, which must have had nothing to complain about."""
        self.context.close()
        assert not self.complaints, self.complaints

    def rest(self):
        """Wait until the server has computed everything."""
        self.page.evaluate("window.still = 0")
        self.page.wait_for_function(NOTHING_LEFT_TO_DO, polling=50)

    def press(self, name):
        """Press the button with this name, once it can be pressed."""
        self.button(name).click()

    def button(self, name):
        """Return the first button whose name begins like this."""
        return self.page.get_by_role("button", name=re.compile(f"^(?:\\w+ )?{name}")).first

    def bring(self, label, name, content):
        """Bring a file to the place with this label, and wait until it has arrived."""
        place = self.page.get_by_test_id("stFileUploader").filter(has_text=label)
        place.locator("input[type=file]").set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        )
        place.get_by_text(name).wait_for()
        self.rest()

    def download(self, name):
        """Return the content of the file that this button hands out; it is also in the party's folder."""
        self.rest()
        with self.page.expect_download() as started:
            self.press(name)
        path = self.folder / started.value.suggested_filename
        started.value.save_as(path)
        return path.read_bytes()
