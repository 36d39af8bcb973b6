"""What each release promises, and how far that can be relied on: one list for README, cards and tests."""

from dataclasses import dataclass

from privbo_core.privacy import Status

WORDS: dict[Status, str] = {
    Status.PROVED: "proved",
    Status.CONDITIONAL: "conditional",
    Status.CLAIMED: "the paper's claim",
    Status.REFUTED: "refuted",
}
"""A status in the words that README uses."""


@dataclass(frozen=True)
class Promise:
    """One line of the list: ``mechanism`` as README names it (Markdown), ``guarantee``, ``status``, ``condition``.

    ``key`` names what makes the guarantee in code. ``condition``: on what the status rests, or what is left of the
    promise; it follows the status as it stands, and after "proved" it begins with ", if": no promise has nothing open.
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


PROMISES: tuple[Promise, ...] = (
    Promise(
        "projection",
        "the paper's projection (`outsourced.curate`)",
        "(ε, δ), Theorem 1 of Kharkovskii, Dai, Low",
        Status.REFUTED,
        " for n > d + 1 rows in general position, at every ε: the release lies in the column space of its inputs. The "
        "utility results are untouched",
    ),
    Promise(
        "noisy, public frame",
        "noisy inputs (`outsourced.publish_noisy`) in a public frame",
        "(ε, δ) per row, analytic Gaussian calibration",
        Status.PROVED,
        ", if bounds, scales, hidden changes and how numbers are written were known before anyone looked at the data, "
        "each cell is read by itself, and ε was not chosen by searches on them; that a record has a gap is not hidden",
    ),
    Promise(
        "noisy, frame read off",
        "noisy inputs in a frame read off the data",
        "the same (ε, δ)",
        Status.CONDITIONAL,
        ", only if the frame was known beforehand. If not, moving one record, or writing it in another way, moves "
        "every row, and the card names the ε that is left",
    ),
    Promise(
        "private answers",
        "private answers of a data holder (`outsourced.Curator`)",
        "(ε, δ) per outcome, however many rows are asked for and however often; with all releases, the ledger's total",
        Status.PROVED,
        ", if range, hidden change and how outcomes are written were known before anyone looked at the outcomes, and "
        "the ledger is kept. "
        "**Conditional** if they were read off",
    ),
    Promise(
        "dp-bo, algorithm 1",
        "setting and score by DP-BO, Algorithm 1",
        "(ε, δ) over a draw of the scores from the assumed prior",
        Status.CLAIMED,
        "; nothing is promised for one given dataset",
    ),
    Promise(
        "dp-bo, algorithm 2",
        "setting and score by DP-BO, Algorithm 2",
        "the same, and the score's rests on constants A and τ that nobody knows",
        Status.CLAIMED,
        "; the search here is not the one that its regret theorem is about, and its event fails more often than δ "
        "allows. No real draw is made",
    ),
    Promise(
        "dp-bo, algorithm 3",
        "score by DP-BO, Algorithm 3",
        "ε",
        Status.PROVED,
        ", if the training set is public and fixed, where its sensitivity holds; where the paper's term L/(mλ_min) "
        "decides, it is **the paper's claim**",
    ),
    Promise(
        "private selection",
        "setting by private selection (`release.selection`)",
        "ε",
        Status.PROVED,
        ", if the settings were picked without looking and the score is a mean over the records of a loss with known "
        "bounds",
    ),
    Promise(
        "tuning",
        "best setting of any tuning (`tuning`, `sklearn`, `optuna`), scored in parts or on validation records",
        "ε",
        Status.PROVED,
        ", if settings, range and parts were fixed beforehand. In parts, a record's training is covered too",
    ),
    Promise(
        "tuning, folds",
        "the same from k-fold scores",
        "ε for a record's part in the scores",
        Status.CONDITIONAL,
        "; it leaves out that the record trained the models of all other folds",
    ),
    Promise(
        "tuning, tries",
        "setting and score of the best of a random number of tries (`tuning.publish_tries`), scored as they are tried",
        "(ε, δ) for both together",
        Status.PROVED,
        ", if settings and range were fixed beforehand, and nobody is told how many tries there were or how long they "
        "took",
    ),
    Promise(
        "federated",
        "the server's vectors in DP-FTS-DE",
        "(ε, δ) per agent, by three accountants and by an exact count",
        Status.PROVED,
        ", if the server is trusted and the agents' model was known beforehand; **conditional** if it was fitted to "
        "their values",
    ),
    Promise(
        "federated, between machines",
        "the server's vectors in a run between machines (`federated.flower`)",
        "(ε, δ) per agent for all rounds in the ledger, by loss distributions; an agent that fails or vanishes counts "
        "as if it had taken part",
        Status.PROVED,
        ", if the server is trusted, what is public was fixed beforehand, and nobody reads anything from how long "
        "rounds take",
    ),
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
