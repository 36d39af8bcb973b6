"""Which tests are run, and in which order: the gate's, or with PRIVBO_LONG=1 those that take long."""

import ast
import locale
import os
import random
from functools import cache

import hypothesis

from tests.helpers.amounts import LONG

hypothesis.settings.register_profile("any machine", deadline=None)  # a slow one is no fault
hypothesis.settings.load_profile("any machine")
if os.environ.get("PRIVBO_LOCALE"):
    locale.setlocale(locale.LC_ALL, os.environ["PRIVBO_LOCALE"])


def is_long(item):
    """Tell whether a test is for the long run alone."""
    return item.get_closest_marker("long") is not None


def has_more(item):
    """Tell whether a test is in the gate with a share of what it can try."""
    return item.get_closest_marker("more") is not None or item.originalname in with_a_share(item.path)


@cache
def with_a_share(path):
    """Return what in a file of tests depends on `few`: by its own text, or by something else in the file that does."""
    parts = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = [each.id for part in getattr(node, "targets", ()) for each in ast.walk(part) if hasattr(each, "id")]
        words = {getattr(each, "id", "") or (isinstance(each, ast.arg) and each.arg) for each in ast.walk(node)}
        parts |= dict.fromkeys([getattr(node, "name", ""), *targets], words)
    found = {"few"}
    while more := {name for name, words in parts.items() if words & found} - found:
        found |= more
    return found


def pytest_collection_modifyitems(config, items):
    """Leave to the long run what is its own, and to the gate what has been run there whole."""
    wanted = [item for item in items if (is_long(item) or has_more(item) if LONG else not is_long(item))]
    if any("::" in argument for argument in config.args):  # asked for by name
        wanted = list(items)
    config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
    if seed := os.environ.get("PRIVBO_ORDER"):
        dice = random.Random(seed)  # what a file's tests share is made once: they stay together
        places = {item.path: dice.random() for item in wanted}
        wanted.sort(key=lambda item: (places[item.path], dice.random()))
    items[:] = wanted
