"""What a team or a federation decided, as a signed file. It hands nothing to a program: an order does (`order`)."""

from dataclasses import asdict, dataclass, fields, make_dataclass, replace
from typing import Any, Literal

from privbo_core import files
from privbo_core.decision.order import MAX_BYTES, MOST_PEOPLE, Person, check_day, check_lengths
from privbo_core.errors import DataError
from privbo_core.privacy import Condition, Guarantee, Status
from privbo_core.privacy.guarantee import UNCHANGED
from privbo_core.records import checked, decoded

FORMAT, VERSION = "privbo decision", 2
WRITER = "sign it on the page Decide and download it anew"
Product = Literal["Dataset", "Summary statistics", "Machine learning model"]
Model = Literal["Central", "Federated"]
Origin = Literal["public", "data"]  # By what an ε was chosen: by what everybody may know, or after looking at the data.


@dataclass(frozen=True)
class Resolution:
    """What may go out (``goes_out``) under a guarantee, who is trusted with what (``actors``), and what is not hidden.

    ``system``: which one; ``unit``: whose data the guarantee is about; ``terms``: what else is fixed, by name;
    ``product`` and ``model`` are the public registry's names. ``people`` decided it on a ``day`` (as in 2026-03-31);
    ``subject`` and ``notes`` for others. ``epsilon_from``: by what ε was chosen. Nothing else of it is computed
    from data. Raises DataError, one sentence, for what cannot be.
    """

    system: str
    goes_out: str
    unit: str
    guarantee: Guarantee
    actors: str
    unprotected: tuple[str, ...]
    terms: tuple[tuple[str, str], ...]
    product: Product
    model: Model
    people: tuple[Person, ...]
    day: str
    subject: str = ""
    notes: str = ""
    epsilon_from: Origin = "data"

    def __post_init__(self) -> None:
        checked("the decision", self)
        checked("the guarantee", self.guarantee)
        if not self.guarantee.epsilon > 0:
            raise DataError(f"epsilon of the guarantee is {self.guarantee.epsilon:g}; it must be above 0.")
        check_lengths("the decision", self)
        check_day("the decision", self.day)
        if not 1 <= len(self.people) <= MOST_PEOPLE:
            raise DataError(f"The decision names {len(self.people)} people; it must be one to {MOST_PEOPLE}.")

    @property
    def digest(self) -> str:
        """The SHA-256 of all that was decided: two decisions have the same one only if they are the same."""
        return files.digest(files.json_bytes(self._content()))

    def _content(self) -> dict[str, Any]:
        promise = {**asdict(self.guarantee), "status": self.guarantee.status.value}
        return {"format": FORMAT, "version": VERSION, **asdict(self), "guarantee": promise}


def resolution_bytes(resolution: Resolution) -> bytes:
    """Return the file of a decision; `read_resolution` returns the same one."""
    return files.json_bytes({**resolution._content(), "digest": resolution.digest})


_DECIDED = [(part.name, part.type) for part in fields(Resolution)]
_Record: Any = make_dataclass("_Record", [("format", str), ("version", int), *_DECIDED, ("digest", str)])
"""What the file of a decision says: no part may be left out."""


def read_resolution(source: files.Source) -> Resolution:
    """Return the decision in a file that `resolution_bytes` made; DataError for any other, or a changed one."""
    found = files.read_json(source, "The decision", MAX_BYTES, WRITER)
    files.format_and_version("The decision", found, FORMAT, VERSION)
    said = decoded("The decision", found, _Record)
    resolution = Resolution(**{part.name: getattr(said, part.name) for part in fields(Resolution)})
    if said.digest != resolution.digest:
        raise DataError(f"The decision was changed after it was signed: its digest does not fit; {WRITER}.")
    return resolution


def looked(guarantee: Guarantee, seen: str) -> Guarantee:
    """Return a guarantee whose ε was chosen after looking, as ``seen`` says: what was proved is conditional then."""
    status = Status.CONDITIONAL if guarantee.status is Status.PROVED else guarantee.status
    return replace(guarantee, status=status, conditions=(*guarantee.conditions, Condition(UNCHANGED, seen, unmet=True)))
