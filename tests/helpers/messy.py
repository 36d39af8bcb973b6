"""Thirty tables as they come out of spreadsheets and instruments, made by code, by what is untidy about each."""

import numpy as np

ROWS = 40


def cells(seed=0, rows=ROWS):
    """Return an age, a dose and an outcome for each of some records."""
    rng = np.random.default_rng(seed)
    age, dose = rng.integers(18, 90, rows), rng.uniform(0.5, 9.5, rows).round(2)
    return age, dose, (50 + 0.5 * age - 3 * dose + rng.normal(0, 2, rows)).round(2)


def written(rows, names, sep=","):
    return "\n".join([sep.join(names), *(sep.join(map(str, row)) for row in rows)]) + "\n"


def comma(number):
    return str(number).replace(".", ",")


def european(number):
    return f"{number:,.2f}".translate(str.maketrans(",.", ".,"))


def plain(sep=",", names=("age", "dose", "result")):
    return written(zip(*cells(), strict=True), names, sep)


def with_gaps(word, every=9):
    age, dose, result = cells()
    rows = [(a, word if i % every == 4 else d, r) for i, (a, d, r) in enumerate(zip(age, dose, result, strict=True))]
    return written(rows, ("age", "dose", "result"))


def everything_at_once():
    age, dose, result = cells()
    rows = [
        (
            f"{10 + i % 18:02d}.0{1 + i % 9}.2023",
            a,
            f"{european(1000 * d)} €",
            comma(r),
            "n/a" if i % 10 == 3 else "ja ",
        )
        for i, (a, d, r) in enumerate(zip(age, dose, result, strict=True))
    ]
    table = written(rows, ("Datum", "Alter [Jahre]", "Preis (€)", "Ergebnis", "Zusage"), ";")
    return f"Klinik Nord;;;;\n\n{table}Summe;;;1.234,5;\n;;;;\nStand: 01.02.2024\n".encode("utf-16")


def agents(shared):
    rng = np.random.default_rng(3)
    rows = []
    for n in range(5):
        at = np.linspace(0, 8, 12) if shared else np.sort(rng.uniform(0, 8, 14)).round(3)
        rows += [(f"site {n}", x, round(float(np.sin(x + 0.1 * n)), 4)) for x in at]
    return written(rows, ("site", "dose", "effect"))


def seeds(missing):
    rng = np.random.default_rng(4)
    rows = [
        (
            C,
            seed,
            "" if missing and (C, seed) == (1, 2) else round(0.7 - 0.02 * abs(np.log10(C)) + 0.01 * rng.normal(), 4),
        )
        for C in (0.01, 0.1, 1, 10, 100)
        for seed in range(4)
    ]
    return written(rows, ("C", "seed", "score"))


def tables():
    """Return the bytes of each table by what is untidy about it."""
    age, dose, result = cells()
    rows = list(zip(age, dose, result, strict=True))
    place = [f"place {i % 29 if i % 3 else 0}" for i in range(ROWS)]
    german = [(a, european(1000 * d), comma(r)) for a, d, r in rows]
    names = ("age", "dose", "result")
    dates = [(f"{1 + a % 28:02d}.{1 + a % 12:02d}.2021", d, r) for a, d, r in rows]
    spaced = [(f" {a} ", f"{d}  ", f" {r}") for a, d, r in rows]
    skewed = [(a, round(float(np.exp(1.2 * d)), 2), r) for a, d, r in rows]
    twice = [(a, 2 * a, d, r) for a, d, r in rows]
    made = {
        "plain": plain(),
        "decimal commas": written([(a, comma(d), comma(r)) for a, d, r in rows], names, ";"),
        "thousands points": written(german, names, ";"),
        "quoted decimal commas": written([(a, f'"{comma(d)}"', f'"{comma(r)}"') for a, d, r in rows], names),
        "units in names": plain(names=("age [years]", "dose (mg)", "result (mg/dL)")),
        "a line of units": plain().replace("\n", "\nyears,mg,mmHg\n", 1),
        "the same name twice": plain(names=("score", "score", "result")),
        "names for two columns together": ",dosing,\n" + plain(),
        "a title above": "Results of the trial\nprinted on Monday\n" + plain(),
        "a total below": plain() + "Total,100,2000\n",
        "a remark below": plain() + "\nSource: the registry\n",
        "blank and empty lines": plain().replace("\n", "\n\n").replace("\n\n", "\n,,\n\n", 3),
        "percent signs": written([(a, f"{d} %", r) for a, d, r in rows], names),
        "currencies": written([(a, f"${1000 * d:.2f}", r) for a, d, r in rows], names),
        "european dates": written(dates, ("day", *names[1:])),
        "n/a here and there": with_gaps("n/a"),
        "dashes here and there": with_gaps("-"),
        "words among numbers": with_gaps("see below"),
        "spaces around cells": written(spaced, [" age", "dose ", " result "]),
        "a byte order mark": "\ufeff" + plain(),
        "utf-16": plain().encode("utf-16"),
        "old letters": plain(names=("Größe", "dose", "result")).encode("cp1252"),
        "quoted new lines": written([(f'"a\nb{i % 3}"', *row) for i, row in enumerate(rows)], ("note", *names)),
        "rows all alike": "a,b,y\n" + "1,2,3\n" * 30,
        "one column": "age\n" + "\n".join(map(str, age)) + "\n",
        "a category of many values": written([(place[i], *row) for i, row in enumerate(rows)], ("place", *names)),
        "row numbers and identifiers": written(
            [(i, 5000 + 7 * i, *row, 3) for i, row in enumerate(rows)], ("", "patient_id", *names, "centre")
        ),
        "names repeated inside": plain() + plain(),
        "separators at the end of rows": plain().replace("\n", ",\n").replace("result,\n", "result\n", 1),
        "one column that follows from another": written(twice, ("age", "twice", *names[1:])),
        "skewed amounts": written(skewed, ("age", "income", "result")),
        "agents on one grid": agents(shared=True),
        "agents measured elsewhere": agents(shared=False),
        "settings with seeds": seeds(missing=False),
        "settings with seeds and a gap": seeds(missing=True),
        "everything at once": everything_at_once(),
    }  # fmt: skip
    return {name: data if isinstance(data, bytes) else data.encode() for name, data in made.items()}
