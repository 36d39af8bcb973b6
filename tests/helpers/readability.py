"""What is read on a page before anything is opened."""

import re

OPENED_ONLY = {"expander", "expandable", "popover", "tab", "tab_container"}
NOT_READ = ('class="pb-finding"', 'class="pb-table', 'class="pb-grid')
"""Titles of figures, and tables, which are looked things up in."""
TEXTS = ("markdown", "caption", "info", "warning", "text", "success")
MOST, MOST_SIMPLE = 200, 120  # Words that a page may have, in Expert and in Simple.


def words_of(node):
    """Return the words that are read before anything is opened, but for pickers, titles of figures and tables."""
    kind = getattr(node, "type", "")
    if kind in OPENED_ONLY:
        return []
    if hasattr(node, "children"):
        return [word for child in node.children.values() for word in words_of(child)]
    if kind == "html":
        body = node.proto.body
        if any(mark in body for mark in NOT_READ):
            return []
        shut = re.sub(r"</summary>.*?</details>", " ", body, flags=re.S)
        return re.sub(r"<style.*?</style>|<[^>]+>", " ", shut, flags=re.S).split()
    return str(node.value).split() if kind in TEXTS else []
