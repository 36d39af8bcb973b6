"""What goes wrong on a page in a browser, without anybody seeing it."""

from urllib.parse import urlsplit

HERE = (None, "127.0.0.1")


def note(page, errors):
    """Note the errors of a page's own, what its Content-Security-Policy keeps it from, what it asks of the network."""
    page.on("request", lambda asked: None if urlsplit(asked.url).hostname in HERE else errors.append(asked.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
