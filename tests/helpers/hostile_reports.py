"""What a browser would never send of its sliders."""

INF, NAN = float("inf"), float("nan")
BAD = (NAN, INF, -INF, None, [], {}, "NaN", "1e999", "", "<b>", 10**300, 10**400, "9" * 3000, "1" * 9000, "\ud800")
"""Values that no slider has."""
EVERY = ("epsilon", "r", "T", "q", "P", "records", "trials")
GOOD = {"number": 1, "dragging": False}
REPORTS = [
    *(None, 0, "text", [], [[]], True, {}, [1, 2, 3], {"values": {}}, {"values": {}, "number": None}),
    *({"values": values, **GOOD} for values in (None, [], "x")),
    *(
        {"values": {}, "number": number, "dragging": dragging}
        for number, dragging in (("7", "no"), (NAN, []), (-1, {}), (10**40, False), (INF, None))
    ),
    *({"values": dict.fromkeys(EVERY, bad), **GOOD} for bad in (*BAD, True, {"a": [{"b": []}]})),
    {"values": {f"k{k}": k for k in range(2000)}, **GOOD},
    {"values": {"epsilon": "x" * 1_000_000}, **GOOD},
]
"""Reports of a panel of sliders."""
EPOCHS = (None, -1, 10**40, NAN, "0", [], {}, [[0]])
