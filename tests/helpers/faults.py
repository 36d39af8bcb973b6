"""What goes wrong on a page in a browser, without anybody seeing it."""


def note(page, errors):
    """Note the errors of a page's own, and what its Content-Security-Policy keeps it from."""
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
