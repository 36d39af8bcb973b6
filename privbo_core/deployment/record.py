"""A deployment in the form of the public registry of deployments: what went out, or is to, as a reviewer asks for it.

The fields and choices are those of the *Differential Privacy Deployments Registry* (OpenDP, NIST), at its third tier.
What only the curator can say is said so, and never guessed. Nothing here is computed from data: a record says what
orders, ledgers and guarantees say already.
"""

import json
import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, cast, get_args

from privbo_core.about import PROGRAM
from privbo_core.decision.resolution import Model, Product
from privbo_core.privacy import Guarantee, Status, worst_case_belief
from privbo_core.privacy.guarantee import one_in

Sector = Literal["Technology", "Healthcare", "Education", "Government", "Energy", "Finance"]
Fields = dict[str, Any]

EXACT = (
    "Numbers are put on a grid of powers of two, and the noise is drawn exactly from a discrete distribution on it, "
    "from the operating system's entropy; what rounding adds to the sensitivity is paid for, and on the grid ε holds "
    "exactly, or to less than the rounding of its own digits. So the known attacks on floating-point noise do not "
    "apply."
)
CHOSEN = (
    "Which setting goes out is drawn with the operating system's entropy, by comparing noisy scores exactly where that "
    "is private selection; a score that goes out carries noise drawn exactly on a grid of powers of two. So the known "
    "attacks on floating-point noise do not apply."
)
TIMING: dict[Model, str] = {
    "Central": "A release is a file, whose making nobody outside sees; how long an answer takes is not hidden.",
    "Federated": "How long a round takes is not hidden.",
}
OWN_HOUSE = "The data stay with the curator; PrivBO stores none of them. Access to them there:"


_JOINERS, _UNSEEN = "\u200c\u200d", {"Cf": ""}
"""What joins letters of some scripts, and parts of a picture; what is left out and leaves no gap."""


def plain(text: str) -> str:
    """Return a text on one line, without what cannot be seen: control characters, marks that turn its direction."""
    seen = (
        letter if letter.isprintable() or letter in _JOINERS else _UNSEEN.get(unicodedata.category(letter), " ")
        for letter in text
    )
    return " ".join("".join(seen).split())


@dataclass(frozen=True)
class Curator:
    """What only whoever publishes can say; what is left empty is marked so in the record.

    ``recipient``: who receives what is released; ``contract``: what was agreed with them; ``access``: who may see the
    data where they lie; ``retention``: how long data, ledger and release are kept. Each is kept as `plain` text.
    Raises ValueError for a sector that the registry does not know.
    """

    name: str = ""
    region: str = ""
    use: str = ""
    sector: Sector | None = None
    authors: tuple[str, ...] = ()
    access: str = ""
    recipient: str = ""
    contract: str = ""
    retention: str = ""

    def __post_init__(self) -> None:
        if self.sector is not None and self.sector not in get_args(Sector):
            raise ValueError(f"sector is {self.sector!r}; it must be one of {', '.join(get_args(Sector))}, or None.")
        for name in ("name", "region", "use", "access", "recipient", "contract", "retention"):
            object.__setattr__(self, name, plain(getattr(self, name)))
        object.__setattr__(self, "authors", tuple(filter(None, map(plain, self.authors))))

    @property
    def handed(self) -> str:
        """Who receives what is released, and what was agreed with them."""
        to, agreed = self.recipient or only("who receives it"), self.contract or only("what was agreed with them")
        return f"It is received by: {sentence(to)} Agreed with them: {sentence(agreed)}"

    @property
    def access_and_retention(self) -> str:
        """Who may see the data where they lie, and for how long what is kept."""
        access, long = self.access or only("who may see them"), self.retention or only("what is kept for how long")
        return f"{sentence(access)} Kept for how long: {sentence(long)}"


NOBODY = Curator()


@dataclass(frozen=True)
class Level:
    """What one level of a guarantee rests on: who vouches for what, and what nobody does."""

    name: str
    program: str
    holder: str
    nobody: str


@dataclass(frozen=True)
class Deployment:
    """One deployment, planned or made: what there is to say of it beside its guarantee.

    ``day`` as in 2026-03-31. ``whole``: the promise is for any change of one unit, not for small ones alone.
    ``releases``: how many, None for the rounds of a run. ``rests_on``: what was done before protection, and how ε was
    chosen. ``queries``: what others can ask for, empty if nothing; ``besides``: what else than releases goes out.
    ``exact``: how randomness is drawn, and what that is safe from.
    """

    title: str
    day: str
    made: bool
    guarantee: Guarantee
    whole: bool
    unit: str
    product: Product
    description: str
    domain: str
    unprotected: str
    model: Model
    actors: str
    releases: int | None
    composition: str
    post_processing: str
    rests_on: str
    mechanisms: str
    justification: str = ""
    queries: str = ""
    besides: str = ""
    curator: Curator = NOBODY
    source: str = ""
    exact: str = EXACT

    @property
    def variant(self) -> str:
        """The registry's name of what is promised: of its own for small changes of a unit, and for a paper's claim."""
        if not self.whole or self.guarantee.status in (Status.CLAIMED, Status.REFUTED):
            return "Custom"
        return "Approximate DP" if self.guarantee.delta else "Pure DP"

    @property
    def levels(self) -> tuple[Level, ...]:
        """What the guarantee rests on, from the top of the pyramid of NIST SP 800-226 to its ground."""
        kept, keeper = self.guarantee, "by the server" if self.model == "Federated" else "in the ledger"
        belief = f"{100 * worst_case_belief(0.5, kept.epsilon):.0f}"
        sure = f"{belief if belief != '100' else 'over 99'} % sure{', but for δ' if kept.delta else ''}"
        sure = f"Who was 50 % sure which of two neighbours it was becomes at most {sure}."
        levels = (
            (
                "ε, δ and whose they are",
                f"{size(kept)}. {self.unit}. {kept.stands} {sure} Not hidden: {self.unprotected}",
                "That no person stands behind two of these units.",
                "Whether one person's data tell about another's: of relatives, for example.",
            ),
            (
                "The algorithm",
                f"{sentence(kept.source)} Tests compare its exact probabilities; the page Audit attacks it.",
                " ".join(kept.in_full) or "What the promise is said to rest on.",
                "The theorem was reviewed when it was published; its use here was not.",
            ),
            ("The program", self._exact, "That the copy in use is the one that was tested.", "An outside review."),
            (
                "What it is good for",
                "What it costs: the page Decide simulates or computes it before anything goes out.",
                "Whether that is enough for the purpose.",
                "Whether it serves every group of people alike.",
            ),
            (
                "Everything together",
                self.composition,
                f"That one count is kept {keeper} for as long as the data are, and never put back to an older copy.",
                "What other programs or people publish of the same data.",
            ),
            (
                "Who is trusted with what",
                self.actors,
                f"That those who are trusted deserve it. {self.curator.handed}",
                "",
            ),
            ("Side channels", "", "", "Time, memory, logs, and the channel by which files are sent."),
            ("The data where they lie", "", self.curator.access_and_retention, ""),
            ("Their collection", "", only("on what ground they were collected, and what people were told"), ""),
        )
        return tuple(Level(*map(plain, each)) for each in levels)

    @property
    def fields(self) -> Fields:
        """The record, as nested fields of the registry."""
        kept, curator = self.guarantee, self.curator
        sector = {"data_product_sector": curator.sector} if curator.sector else {}
        losses = {"epsilon": kept.epsilon, "delta": kept.delta}
        assumed = " ".join([*kept.in_full, *map(sentence, kept.assumptions)])
        many = self.releases is None or self.releases > 1
        found = {
            "url_slug": "-".join(re.findall(r"[a-z0-9]+", self.title.lower()))[:60].strip("-") or "deployment",
            "status": "Draft",
            "tier": 3,
            "deployment": {
                "basic": {
                    "name": self.title,
                    "data_curators": [curator.name or only("who publishes it")],
                    "description": self.description,
                    "intended_use": curator.use or only("for what it is meant, and for what it is not"),
                    "data_product_type": self.product,
                    "data_product_region": curator.region
                    or only("which region the data describe, and whose law applies"),
                    "publication_date": self.day,
                    **sector,
                },
                "dp_variant": {
                    "variant_name": self.variant,
                    "data_domain": self.domain,
                    "unprotected_quantities": self.unprotected,
                },
                "privacy_loss": {
                    "privacy_unit": self.unit,
                    "privacy_unit_details": self._relation,
                    "privacy_parameters": {name: float(up(value)) for name, value in losses.items() if value},
                    "privacy_parameters_details": f"{kept.stands} {assumed} {kept.exposes}".strip(),
                },
                "deployment_model": {
                    "model_name": self.model,
                    "model_name_details": f"Protected against: {kept.against}.",
                    "actors": f"{self.actors} {curator.handed}",
                    "release_type": "Many releases" if many else "One release",
                    "release_type_details": self._often,
                    "data_source_type": "Static",
                    "data_source_type_details": (
                        "The records are those of one table or one population, known when it began."
                    ),
                    "access_type": "Interactive" if self.queries else "Non-interactive",
                    "access_type_details": self.queries or "What is published is published to all alike.",
                },
                "accounting": {"post_processing": self.post_processing, "composition": self.composition},
                "implementation": {
                    "preprocessing_and_hyperparameter_tuning": self.rests_on,
                    "mechanisms": f"{self.mechanisms} {self._exact} {OWN_HOUSE} {curator.access_and_retention}",
                    "justification": self.justification,
                },
                "administrative": {
                    "sources": self.source or only("where it is described"),
                    "notes": (
                        f"{'Made' if self.made else 'Planned: nothing has gone out, the date is the decision’s'}. "
                        "“Draft” is how far the "
                        f"registry has this record, not what it is about. Written by {PROGRAM} from what "
                        "it knows; where it says that only the curator can say something, it is for the curator to "
                        f"fill in{'' if curator.sector else ', and so is the sector, which is left out'}."
                    ),
                    "registry_authors": [*curator.authors] or [only("who filled this in")],
                },
            },
        }
        return cast(Fields, _plain(found))

    @property
    def _relation(self) -> str:
        kept = self.guarantee
        said = sentence(f"Neighbours: {kept.neighbours}")
        if self.whole:
            return f"{said} Protected: {kept.protects}."
        return (
            f"{said} Hidden are differences of that size in {kept.protects}. The privacy relation: outputs on two such "
            f"tables are as alike as {size(kept)} says; tables that differ by more are less alike. The change of a "
            "whole record is not hidden at this ε."
        )

    @property
    def _exact(self) -> str:
        begun = "" if self.made else f"Where {PROGRAM} carries it out: "
        return f"{begun}{self.exact} Nothing is done about timing. {TIMING[self.model]}"

    @property
    def _often(self) -> str:
        later = f"More from the same data would add to it. {only('what later uses are planned')}"
        if self.releases is None:
            return f"As many as the rounds of the whole run, which ε counts together. {later}"
        if not self.made:
            return f"One is planned. {later}"
        return f"{self.releases} so far{self.besides}, which ε counts together; no limit is set for later ones. {later}"

    def to_yaml(self) -> bytes:
        """Return the record as a YAML file, one field a line."""
        return ("\n".join(_lines(self.fields)) + "\n").encode()


def size(kept: Guarantee) -> str:
    """Return ε and δ as people read them: a δ as a share of people."""
    return f"ε = {up(kept.epsilon)}, δ = {one_in(kept.delta) if kept.delta else '0'}"


def up(epsilon: float) -> str:
    """Return an ε or a δ in four digits, never less than it is."""
    step = 10.0 ** (math.floor(math.log10(epsilon)) - 3)
    return f"{epsilon if float(f'{epsilon:.4g}') >= epsilon else epsilon + step / 2:.4g}"


def only(what: str) -> str:
    """Mark what nobody but the curator can say."""
    return f"[Only the curator can say {what}]"


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return plain(value) if isinstance(value, str) else value


def sentence(said: str) -> str:
    """Return words as a sentence of their own."""
    begin = said[0].upper() if said[0].isascii() else said[0]  # ε is a letter of its own
    return f"{begin}{said[1:]}{'' if said.endswith('.') else '.'}"


def _lines(found: Mapping[str, Any], depth: int = 0) -> list[str]:
    """Return fields as lines of YAML; a text in double quotes is one in YAML as in JSON."""
    lines = []
    for key, value in found.items():
        start = f"{'  ' * depth}{key}:"
        if isinstance(value, Mapping):
            lines += [start, *_lines(value, depth + 1)]
        elif isinstance(value, list):
            lines += [start, *(f"{'  ' * depth}  - {json.dumps(each, ensure_ascii=False)}" for each in value)]
        else:
            # YAML takes 1e-06 for a text, and people read 0.000001.
            small = isinstance(value, float) and value < 1
            said = f"{Decimal(repr(value)):f}" if small else json.dumps(value, ensure_ascii=False)
            lines.append(f"{start} {said}")
    return lines
