"""What each release promises, and how far that can be relied on: one list for README, cards and tests."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from privbo_core.privacy import Status

WORDS: dict[Status, str] = {
    Status.PROVED: "proven",
    Status.UNMET: "an assumption is not met",
    Status.CLAIMED: "the paper's claim",
    Status.REFUTED: "refuted",
}
"""A status in the words that README uses."""


@dataclass(frozen=True)
class Promise:
    """One line of the list: ``mechanism`` as README names it (Markdown), ``guarantee``, ``status``, ``condition``.

    ``key`` names what makes the guarantee in code. ``condition``: on what the status rests, or what is left of the
    promise; it follows the status as it stands, and after "proven" it begins with ", if": no promise has nothing open.
    """

    key: str
    mechanism: str
    guarantee: str
    status: Status
    condition: str

    @property
    def line(self) -> str:
        """The promise as a row of README's table."""
        return f"| {self.mechanism} | {self.guarantee} | **{WORDS[self.status]}**{self.condition} |"


PROMISES = tuple(
    Promise(**{**said, "status": Status[said["status"]]})
    for said in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["promises"]
)
"""All of them, in README's order."""


def promise(key: str) -> Promise:
    """Return the promise of that key. Raises ValueError, listing the keys, for an unknown one."""
    for each in PROMISES:
        if each.key == key:
            return each
    raise ValueError(f"key is {key!r}; the promises are {', '.join(repr(each.key) for each in PROMISES)}.")


def readme_table() -> str:
    """Return README's table of guarantees."""
    head = "| what is released | guarantee | status |\n|---|---|---|"
    return "\n".join([head, *(each.line for each in PROMISES)])
