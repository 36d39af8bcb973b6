"""Two runs of a page may overlap, and visitors come at the same moment: what they share is replaced, never changed."""

import functools
import gc
import sys
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import is_dataclass

import numpy as np

from privbo_core import federated, outsourced
from tests.helpers.opening import open_page

CHANGING = (dict, OrderedDict, list, set, deque, bytearray)
THREAD_SAFE = (outsourced.Simulation, federated.Simulation)
"""What remembers its runs behind a lock of its own."""
MOVED = {"report": {"values": {"epsilon": 3.0}, "number": 1, "dragging": True, "epoch": 0}}
"""What the browser reports while a thumb of the new pages is held."""
VISITS = {
    "start": ({}, {"start": MOVED}),
    "data": ({"data": "homes"}, {}),
    "outsourced": ({"release": "both", "T": 10, "runs": 5}, {"outsourced/last": {"epsilon": 2.0, "r": 12.0}}),
    "release": ({"algorithm": "2 exact", "task": "svm", "T": 10}, {"release": MOVED}),
    "federated": (
        {"T": 5, "N": 10, "runs": 5},
        {"federated/family": {"report": {**MOVED["report"], "values": {"q": 0.3}}}},
    ),
    "tradeoff": ({"story": "team"}, {"tradeoff": MOVED}),
    "audit": ({"attack": "noisy", "trials": 2000}, {"audit/noisy": MOVED}),
    "tour": ({"step": "2"}, {}),
    "papers": ({}, {}),
}
"""How each page is opened, and what its sliders say when it runs once more."""


def parts(value):
    """Yield a value and everything in it that could be changed by whoever holds it."""
    waiting, seen = [value], set()
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, (*THREAD_SAFE, type)):
            continue
        seen.add(id(each))
        yield each
        if isinstance(each, dict):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, (list, tuple, set, frozenset, deque)):
            waiting += each
        elif is_dataclass(each):
            waiting += vars(each).values()


def kept(values):
    """Return what is in the values now: each container or array that could be changed, with a copy of it."""
    found = [each for value in values for each in parts(value) if isinstance(each, (*CHANGING, np.ndarray))]
    return [(each, each.copy()) for each in found]


def changed(before):
    """Return the containers whose members are others than they were, and the arrays with other numbers."""
    return [copy for each, copy in before if not same(each, copy)]


def same(one, other):
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(one[key] is other[key] for key in one)
    if isinstance(one, (set, bytearray)):
        return one == other
    return len(one) == len(other) and all(map(lambda a, b: a is b, one, other))


def remembered():
    """Return what the functions of the app and the engine remember."""
    functions = {
        value
        for name, module in list(sys.modules.items())
        if name.split(".")[0] in ("pages", "privbo_core")
        for value in vars(module).values()
        if isinstance(value, functools._lru_cache_wrapper)
    }
    return [value for function in functions for held in gc.get_referents(function) for value in results(held)]


def results(held):
    """Return the results in the dictionary in which a function remembers them, if it is that."""
    return list(held.values()) if type(held) is dict else []


def test_what_runs_and_visitors_share_is_replaced_and_never_changed():
    for page, (query, moved) in VISITS.items():
        app = open_page(page, **query)
        session = dict(app.session_state.items())
        here = [each for value in session.values() for each in parts(value)]
        assert not [each for each in here if isinstance(each, Iterator)], page
        before = kept(session.values()), kept(remembered())
        for key, values in moved.items():
            app.session_state[key] = {**session.get(key, {}), **values}
        app.run()
        open_page(page, **query)
        assert not changed(before[0]), page
        assert not changed(before[1]), page


def test_a_change_would_be_seen():
    values = {"list": [1], "nested": ({"a": {1}},), "array": np.zeros(2)}
    for change in (
        lambda: values["list"].append(2),
        lambda: values["nested"][0]["a"].add(2),
        lambda: values["array"].__setitem__(0, 1.0),
    ):
        before = kept(values.values())
        change()
        assert len(changed(before)) == 1
