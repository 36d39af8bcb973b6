"""Every table and figure of the five documents: which experiment reproduces it, or why none does."""

from dataclasses import dataclass

OUTSOURCED = "Kharkovskii, Dai, Low (ICML 2020), in two extractions of its text"
RELEASE = "Kusner, Gardner, Garnett, Weinberger (ICML 2015)"
WORKSHOP = "the same authors’ workshop paper"
FEDERATED = "Dai, Low, Jaillet (NeurIPS 2021)"
NOT_AT_HAND = "in an appendix that is not part of the text at hand"


@dataclass(frozen=True)
class Item:
    """A table or figure of a document: ``experiments`` that reproduce it, by name, or the reason why none does."""

    document: str
    item: str
    shows: str
    experiments: tuple[str, ...] = ()
    left_out: str = ""

    def __post_init__(self) -> None:
        if bool(self.experiments) == bool(self.left_out):
            raise ValueError(f"{self.item}: name experiments or a reason, not both.")


def _tables() -> tuple[Item, ...]:
    found = []
    for number in range(1, 10):
        names = [f"table-{number}"]
        if number > 3:
            names.append(f"table-{number}-made-up")
        if number in (5, 8):
            names += [name for name in ("table-5-rougher", f"table-{number}-noisy") if str(number) in name]
        data = "synthetic functions" if number < 4 else "loans" if number < 7 else "property prices"
        found.append(Item(OUTSOURCED, f"Table {number}", f"{data}: regret against r", tuple(names)))
    return tuple(found)


CONTENTS: tuple[Item, ...] = (
    Item(OUTSOURCED, "Fig. 1", "who sends what to whom", left_out="a drawing; the Start page has its own"),
    *_tables(),
    Item(OUTSOURCED, "Fig. 2a", "synthetic functions: regret over time", ("outsourced-fig-2a",)),
    Item(OUTSOURCED, "Fig. 2b", "loans: regret over time", ("outsourced-fig-2b", "outsourced-fig-2b-made-up")),
    Item(OUTSOURCED, "Fig. 2c", "prices: regret over time", ("outsourced-fig-2c", "outsourced-fig-2c-made-up")),
    Item(OUTSOURCED, "Appendix A", "Branin–Hoo", ("branin",)),
    Item(RELEASE, "no tables or figures", "theorems alone",
         ("bounds-epsilon", "bounds-iterations", "bounds-candidates")),
    Item(WORKSHOP, "no tables or figures", "theorems alone", left_out="its constants are a choice on the Release page; "
         "its bounds are not run against losses here, since its q is too small and its Theorem 4 not free of scale"),
    Item(FEDERATED, "Fig. 1", "the algorithm", left_out="a drawing; the Start page has its own"),
    Item(FEDERATED, "Fig. 2a", "TS, FTS, FTS-DE", ("federated-fig-2a",)),
    Item(FEDERATED, "Fig. 2b", "the clipping threshold S", ("federated-fig-2b",)),
    Item(FEDERATED, "Fig. 2c", "how many agents join", ("federated-fig-2c",)),
    Item(FEDERATED, "Fig. 2d", "how much noise", ("federated-fig-2d",)),
    Item(FEDERATED, "Fig. 3a–c", "privacy against utility on three data sets", ("federated-fig-3",)),
    Item(FEDERATED, "Fig. 3d–f", "the same over the iterations", left_out="the claims about them (faster, slower) are "
         "among those of Fig. 3; the curves themselves would be on other data"),
    Item(FEDERATED, "Fig. 4", "DP-FTS-DE beside DP-FTS", ("federated-fig-2a",)),
    Item(FEDERATED, "Fig. 5", "both halves of exploring in parts", ("federated-fig-5",)),
    Item(FEDERATED, "Fig. 6", "the number of sub-regions", ("federated-fig-6",)),
    Item(FEDERATED, "Fig. 7", "agents that differ", ("federated-fig-7",)),
    Item(FEDERATED, "Fig. 8", "exploring in parts under privacy, real data", ("federated-fig-8",)),
    Item(FEDERATED, "Fig. 9, Fig. 10", "unknown", left_out=f"{NOT_AT_HAND}, and not mentioned in it; perhaps "
         "those of Appendix B.2.3 on weights and sub-regions"),
    Item(FEDERATED, "Fig. 11", "a fixed number of agents, by Rényi", ("federated-fig-11",)),
    Item(FEDERATED, "Appendix B.2.3", "other weights, other numbers of sub-regions",
         ("federated-weights", "federated-fig-6")),
)  # fmt: skip
"""All of them, in the documents' order. The texts of 2015 hold neither tables nor figures."""
