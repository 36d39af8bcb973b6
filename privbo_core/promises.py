"""The guarantee of each release and its status, in one list for README, cards and tests."""

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
"""The text of each status in README."""


@dataclass(frozen=True)
class Promise:
    """A guarantee of a release, with its status.

    ``key`` is a unique name, and ``mechanism`` describes the release in Markdown. ``condition`` follows directly after
    the status. It names the assumptions on which the status depends, or the extent of a refutation. After "proven" it
    begins with ", if", because every proof has assumptions.
    """

    key: str
    mechanism: str
    guarantee: str
    status: Status
    condition: str

    @property
    def line(self) -> str:
        """Return the row of README's table."""
        return f"| {self.mechanism} | {self.guarantee} | **{WORDS[self.status]}**{self.condition} |"


PROMISES = tuple(
    Promise(**{**entry, "status": Status[entry["status"]]})
    for entry in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["promises"]
)
"""All guarantees, in README's order."""


def promise(key: str) -> Promise:
    """Return the guarantee with that key. Raises ValueError with the list of keys if there is none."""
    for each in PROMISES:
        if each.key == key:
            return each
    raise ValueError(f"key is {key!r}. The promises are {', '.join(repr(each.key) for each in PROMISES)}.")


def readme_table() -> str:
    """Return README's table of guarantees."""
    head = "| what is released | guarantee | status |\n|---|---|---|"
    return "\n".join([head, *(each.line for each in PROMISES)])
