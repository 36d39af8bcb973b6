"""Guides that do what they say: their code is run, and what it prints is compared."""

import contextlib
import io
import re

BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<seat>\w+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text):
    """Return the blocks of a guide, or of a part of it: (language, seat, text) in order."""
    found = [block.group("language", "seat", "text") for block in BLOCK.finditer(text)]
    assert text.count("```") == 2 * len(found), "every block has a language"
    return found


def check(printed, expected):
    """Compare an output with the documented one, in which … stands for anything."""
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("…"))
    assert re.fullmatch(pattern, printed.strip()), f"documented:\n{expected}\nprinted:\n{printed}"
    assert len(printed.strip().splitlines()) == len(expected.strip().splitlines())


def run(found, guide):
    """Run blocks of Python, compare what they print with the blocks of text; return their names, and how many ran."""
    printed, names, ran = "", {}, 0
    for language, _, text in found:
        if language == "text":
            check(printed, text)
            printed = ""
            continue
        assert language == "python"
        assert not printed, "what a block prints is documented"
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(text, guide, "exec"), names)
        printed, ran = out.getvalue(), ran + 1
    assert not printed
    return names, ran
