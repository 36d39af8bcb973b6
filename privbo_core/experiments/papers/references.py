"""How to cite the papers and this software. BibTeX and CITATION.cff are made of this."""

from collections.abc import Mapping
from dataclasses import dataclass

from privbo_core.about import VERSION
from privbo_core.experiments.model import Experiment
from privbo_core.experiments.papers.contents import CONTENTS, FEDERATED, OUTSOURCED, RELEASE, WORKSHOP


@dataclass(frozen=True)
class Reference:
    """A work to cite. ``fields``: BibTeX's own, beside authors, title and year; what the papers' texts say."""

    key: str
    kind: str
    authors: tuple[tuple[str, str], ...]
    title: str
    year: int
    fields: Mapping[str, str]

    @property
    def short(self) -> str:
        """Authors and year: Dai, Low, Jaillet (2021)."""
        return f"{', '.join(family for _, family in self.authors)} ({self.year})"

    def bibtex(self) -> str:
        """Return the entry."""
        authors = " and ".join(f"{family}, {given}" if given else f"{{{family}}}" for given, family in self.authors)
        fields = {"author": authors, "title": f"{{{self.title}}}", **self.fields, "year": str(self.year)}
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


WASHINGTON = (("Matt J.", "Kusner"), ("Jacob R.", "Gardner"), ("Roman", "Garnett"), ("Kilian Q.", "Weinberger"))
PAPERS: Mapping[str, Reference] = {
    OUTSOURCED: Reference(
        "kharkovskii2020private", "inproceedings",
        (("Dmitrii", "Kharkovskii"), ("Zhongxiang", "Dai"), ("Bryan Kian Hsiang", "Low")),
        "Private Outsourced {Bayesian} Optimization", 2020,
        {"booktitle": "Proceedings of the 37th International Conference on Machine Learning",
         "series": "Proceedings of Machine Learning Research", "volume": "119"},
    ),
    RELEASE: Reference(
        "kusner2015differentially", "inproceedings", WASHINGTON, "Differentially Private {Bayesian} Optimization", 2015,
        {"booktitle": "Proceedings of the 32nd International Conference on Machine Learning",
         "series": "Proceedings of Machine Learning Research", "volume": "37", "pages": "918--927"},
    ),
    WORKSHOP: Reference(
        "kusner2015workshop", "misc", WASHINGTON, "Differentially Private {Bayesian} Optimization", 2015,
        {"note": "Workshop version; its text states neither venue nor year, so the year is that of the ICML paper"},
    ),
    FEDERATED: Reference(
        "dai2021differentially", "inproceedings",
        (("Zhongxiang", "Dai"), ("Bryan Kian Hsiang", "Low"), ("Patrick", "Jaillet")),
        "Differentially Private Federated {Bayesian} Optimization with Distributed Exploration", 2021,
        {"booktitle": "Advances in Neural Information Processing Systems", "volume": "34"},
    ),
}  # fmt: skip
"""The papers, by the document's name in `contents`."""
SOFTWARE = Reference(
    "privbo", "misc", (("", "The PrivBO authors"),),
    "{PrivBO}: An interactive laboratory for private {Bayesian} optimisation", 2026,
    {"note": f"Software, version {VERSION}"},
)  # fmt: skip


def bibtex() -> str:
    """Return the entries of the papers and of this software, as a file."""
    return "\n\n".join(each.bibtex() for each in (*PAPERS.values(), SOFTWARE)) + "\n"


def command(experiment: Experiment) -> str:
    """Return our command that computes an experiment."""
    return f"python -m privbo_core.experiments {experiment.name} --workers 2"


def source(experiment: Experiment) -> str:
    """Return where a table or figure is printed: the paper and the item's number there."""
    found = next(each for each in CONTENTS if experiment.name in each.experiments)
    item = "theorems" if found.item.startswith("no tables") else found.item
    return f"{PAPERS[found.document].short}, {item}"


def citation_file() -> str:
    """Return CITATION.cff: this software, and the papers that it implements as references."""
    lines = [
        "cff-version: 1.2.0",
        "message: If you use PrivBO, please cite it and the paper whose system you used.",
        f"title: '{_plain(SOFTWARE.title)}'",
        "type: software",
        f"version: {VERSION}",
        "license: MIT",
        "authors:",
        "  - name: The PrivBO authors",
        "references:",
    ]
    for each in PAPERS.values():
        kind = "conference-paper" if each.kind == "inproceedings" else "unpublished"
        lines += [f"  - type: {kind}", f"    title: '{_plain(each.title)}'", f"    year: {each.year}", "    authors:"]
        for given, family in each.authors:
            lines += [f"      - family-names: {family}", f"        given-names: {given}"]
        if "booktitle" in each.fields:
            lines.append(f"    collection-title: '{each.fields['booktitle']}'")
        if "volume" in each.fields:
            lines.append(f"    volume: {each.fields['volume']}")
        if "pages" in each.fields:
            start, end = each.fields["pages"].split("--")
            lines += [f"    start: {start}", f"    end: {end}"]
        if "note" in each.fields:
            note = each.fields["note"].replace("'", "''")
            lines.append(f"    notes: '{note}'")
    return "\n".join(lines) + "\n"


def _plain(title: str) -> str:
    return title.replace("{", "").replace("}", "")
