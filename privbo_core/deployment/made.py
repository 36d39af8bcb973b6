"""What is said of orders, ledgers and draws: each as a deployment."""

import math
from collections.abc import Sequence
from dataclasses import replace

from privbo_core.about import PROGRAM
from privbo_core.decision.order import Decision
from privbo_core.decision.resolution import Product, Resolution
from privbo_core.deployment.record import CHOSEN, EXACT, NOBODY, Curator, Deployment, only, sentence, size
from privbo_core.errors import DataError
from privbo_core.outsourced.answers import Private
from privbo_core.outsourced.noisy import GAPS, NOT_PROTECTED
from privbo_core.outsourced.parties.ledger import Cost, Ledger
from privbo_core.outsourced.parties.terms import Outcome, ReleaseTerms, answers_guarantee
from privbo_core.privacy import Condition, Guarantee, Status, compose

SEQUENTIAL = (
    "Sequential: every release that was begun counts. Gaussian noise composes by its squared signal-to-noise ratios "
    "(they add up), noise of another shape by the distribution of its loss."
)
SEARCH_ACTORS = (
    "The holder has the records and is trusted with them. The modeler receives the noisy inputs and the outcomes of "
    "the rows that it asks for; it and everybody whom it shows them to are not trusted, with any computing power, and "
    "may know every other record. Whoever operates the holder's machine is trusted."
)
SEARCH_AFTER = (
    "Values are moved into their column's public range before noise, and rounded to as many digits as mean something "
    "after it. Whatever is computed from the noisy inputs alone costs nothing more."
)


SETTING: Product = "Summary statistics"  # What a tuned setting is among the registry's products.
RELEASE_ACTORS = (
    "Whoever tunes has the records and all scores, and is trusted with them. Everybody who reads what is published is "
    "not trusted."
)
FEDERATED_ACTORS = (
    "The server receives every agent's vector and is trusted, as is its choice of agents in each round; all agents and "
    "everybody who sees a broadcast are not."
)


def planned(decision: Decision | Resolution, curator: Curator = NOBODY, why: str = "") -> Deployment:
    """Return what was decided and signed, before anything goes out.

    ``why``: by what rule, in words for others: nothing in it may be computed from the data.
    """
    made = _ordered(decision, curator) if isinstance(decision, Decision) else _resolved(decision, curator)
    who = ", ".join(f"{person.name}{f' ({person.role})' if person.role else ''}" for person in decision.people)
    said = f"Decided by {who} on {decision.day}.", why, decision.notes
    return replace(made, justification=" ".join(filter(None, said)))


def _resolved(decision: Resolution, curator: Curator) -> Deployment:
    kept, terms = decision.guarantee, "; ".join(f"{name}: {value}" for name, value in decision.terms)
    looked, rounds = decision.epsilon_from == "data", decision.model == "Federated"
    chosen = (
        "after looking at the data, which it does not count"
        if looked
        else "from what everybody may know, not from the data"
    )
    one, other = ("All rounds of one run together", "Another run") if rounds else ("One release", "Another one")
    return Deployment(
        title=decision.subject or decision.goes_out,
        day=decision.day,
        made=False,
        guarantee=kept,
        whole=True,
        unit=decision.unit,
        product=decision.product,
        description=decision.goes_out,
        domain=terms or only("which records it is about, and what is public of them"),
        unprotected=" ".join(decision.unprotected) or only("what is not protected"),
        model=decision.model,
        actors=decision.actors or only("who is trusted with what"),
        releases=None if rounds else 1,
        composition=f"{one}, at {size(kept)}. {other} about the same data adds to it.",
        post_processing="None.",
        rests_on=f"ε was chosen {chosen}. {only('how the rest was chosen, without these data')}",
        mechanisms=sentence(kept.source),
        curator=curator,
        source=f"The decision {decision.digest}.",
        exact=CHOSEN if decision.product == SETTING else EXACT,
    )


def _ordered(decision: Decision, curator: Curator) -> Deployment:
    frame, outcome, private = decision.frame, decision.outcome, decision.private
    looked = decision.epsilon_from == "data"
    promise = (decision.epsilon, decision.delta, 1.0, 1, f"{decision.day}T00:00:00+00:00")
    terms = ReleaseTerms(frame, *promise, noise=decision.noise, looked=looked)
    asked = f"{outcome} of each row asked for, up to {decision.first + decision.tests:,} of them,"
    base = _search(terms, asked, outcome, private, "ε is what the frame alone recommends, without these records.")
    count = "One release."
    if private:
        total = _total([terms.guarantee, answers_guarantee(private, outcome)], decision.cost, private)
        base = replace(base, guarantee=total)
        count = (
            f"One release at ε = {decision.epsilon:.4g}; private answers at ε = {private.epsilon:.4g}, each record "
            f"once, in parallel. Together they cost no record more than {size(total)}."
        )
    return replace(
        base,
        title=decision.subject or f"Search for the best {outcome.name}",
        day=decision.day,
        made=False,
        composition=f"{count} {SEQUENTIAL}",
        curator=curator,
        source=f"The order {decision.digest}.",
    )


def searched(ledger: Ledger, curator: Curator = NOBODY) -> Deployment:
    """Return what really went out by a holder's ledger. Raises DataError if nothing has."""
    if not ledger.releases or ledger.outcome is None:
        raise DataError("Nothing was released by this ledger yet, so there is nothing to record.")
    private, cost = ledger.private, ledger.cost()
    releases = ledger.releases
    promised = [each.guarantee for each in releases]
    if private is not None and ledger.answers:
        promised.append(answers_guarantee(private, ledger.outcome))
    base = _search(releases[-1], f"{ledger.outcome} of each row asked for", ledger.outcome, private)
    total = _total(promised, cost, private)
    spent = ", ".join(f"{each.epsilon:.4g}" for each in releases)
    answers = f"; private answers at ε = {private.epsilon:.4g}, each record once, in parallel" if private else ""
    return replace(
        base,
        guarantee=total,
        whole=private is None and all(each.protected_distance == math.inf for each in releases),
        releases=len(releases),
        composition=(
            f"{SEQUENTIAL} Releases at ε = {spent}{answers}. In all, as the ledger counts it, no record has cost more "
            f"than {size(total)}; parts add up to less than their sum."
        ),
        besides=" and noisy answers, to each record at most one" if private else "",
        curator=curator,
    )


def _total(promised: Sequence[Guarantee], cost: Cost, private: Private | None) -> Guarantee:
    """Return what releases, and answers if they are private, promise together."""
    total, alone = _together(promised, cost.inputs if private is None else cost.both, cost.delta), len(promised) == 1
    return replace(
        total, assumptions=tuple(filter(None, (_among_others(text, private, alone) for text in total.assumptions)))
    )


def _among_others(text: str, private: Private | None, alone: bool) -> str:
    """Return what one promise rests on, as it stands among others; nothing where it is about one alone."""
    if private is not None and text == NOT_PROTECTED:
        return ""
    return text if alone or not text.startswith("Larger differences") else f"Of the inputs of one release alone: {text}"


def _answers(outcome: Outcome, private: Private | None) -> str:
    if private is None:
        return ""
    unit = f" {outcome.unit}" if outcome.unit else ""
    return (
        f"Answers: {outcome.name} moved into {private.low:,.10g} to {private.high:,.10g}{unit}, {private.noise} noise "
        f"of standard deviation {private.sigma:.3g}{unit}."
    )


def _together(promised: Sequence[Guarantee], epsilon: float, delta: float) -> Guarantee:
    """Return what several promise together, at the least status of any."""

    def each(part: str) -> str:
        return "; and ".join(dict.fromkeys(getattr(one, part) for one in promised))

    known = list(dict.fromkeys(condition for one in promised for condition in one.conditions))

    def condition(words: str) -> Condition:
        alike = [one for one in known if one.words == words]
        return Condition(words, " ".join(one.in_full for one in alike), any(one.unmet for one in alike))

    return Guarantee(
        protects=each("protects"),
        against=each("against"),
        neighbours=each("neighbours"),
        epsilon=epsilon,
        delta=delta,
        assumptions=tuple(dict.fromkeys(text for one in promised for text in one.assumptions)),
        status=max((one.status for one in promised), key=list(Status).index),
        source=each("source"),
        conditions=tuple(map(condition, dict.fromkeys(one.words for one in known))),
    )


def _search(terms: ReleaseTerms, told: str, outcome: Outcome, private: Private | None, chosen: str = "") -> Deployment:
    """Return a release of noisy inputs by its terms; what is ``told``: the outcomes; how ε was ``chosen``, if known."""
    ranges = "; ".join(
        f"{column.name} from {column.low:,.10g} to {column.high:,.10g}{f' {column.unit}' if column.unit else ''}"
        for column in terms.frame.columns
    )
    noise = ", ".join(
        f"{terms.sigma * column.hide:.3g}{f' {column.unit}' if column.unit else ''} of {column.name}"
        for column in terms.frame.columns
    )
    said = (f"{column.name}: {column.known_from.rstrip('.')}" for column in terms.frame.columns if column.known_from)
    sources = "; ".join(said)
    gaussian, whole = terms.noise == "gaussian", terms.protected_distance == math.inf
    shape = "Noise whose density falls with its Euclidean length"
    kind = "Gaussian noise, by its exact curve of δ against ε" if gaussian else shape
    sampler = "OpenDP's sampler" if gaussian else "a sampler of its own, tested against exact probabilities"
    exact = f"The {told} is told as it was measured, without noise; what that tells of its inputs is not counted. "
    looked = (
        "ε was chosen after searches simulated on these records, and that is not counted in it."
        if terms.looked
        else chosen or "Nothing says that ε was chosen after looking at these records."
    )
    unsaid = ", ".join(terms.frame.unsaid)
    known = f"for {unsaid} nothing says that it was" if unsaid else "for each it is said from where it was"
    return Deployment(
        title=f"Search for the best {told.partition(' of each row')[0]}",
        day=terms.made[:10],
        made=True,
        guarantee=terms.guarantee,
        whole=whole,
        unit=f"One record, a row of the table{'' if whole else ', up to a limited change'}",
        product="Dataset",
        description="The inputs of a table with noise, so that somebody else can search for the record with the best "
        "outcome without seeing the records; the holder tells the outcomes of the rows that are asked for"
        f"{', with noise' if private else ''}.",
        domain=f"Tables with any number of rows and these columns, each within a public range: {ranges}.",
        unprotected=f"Who is in the table is not hidden. {'' if private else exact}{GAPS} Nor is it hidden which rows "
        "are asked for.",
        model="Central",
        actors=SEARCH_ACTORS,
        releases=1,
        queries="One modeler asks for rows and is told their outcomes; nobody else can ask.",
        composition=SEQUENTIAL,
        post_processing=SEARCH_AFTER,
        rests_on=(
            f"Range, hidden change and length-scale of each column, and how numbers are written: {known} known before "
            f"anyone looked at the data{f' ({sources})' if sources else ''}. {looked} Simulated searches stay with the "
            "holder."
        ),
        mechanisms=(
            f"{kind}, of standard deviation {noise}; {sampler}. Rows go out in a random order that only the holder "
            f"knows. {PROGRAM}. {_answers(outcome, private)}"
        ).rstrip(),
        justification=only("who chose ε and the shape of the noise, when, and why"),
    )


def published(spent: Sequence[Guarantee], title: str, day: str, curator: Curator = NOBODY) -> Deployment:
    """Return what was drawn of tuned settings about the same records, by what each cost. Raises DataError for none."""
    if not spent:
        raise DataError("Nothing was drawn yet, so there is nothing to record.")
    kept, draws = _together(spent, *compose(spent)), ", ".join(f"{each.epsilon:.4g}" for each in spent)
    return Deployment(
        title=title,
        day=day,
        made=True,
        guarantee=kept,
        whole=True,
        unit=f"One record: {kept.protects}",
        product=SETTING,
        description="The setting of a model that scored best, its score, or both, drawn at random so that what is "
        "better is likelier.",
        domain="Any records that the listed settings can be scored on; scores are moved into a public range.",
        unprotected="The list of settings, the range of scores and the number of records are public. "
        + " ".join(text for text in kept.assumptions if "not covered" in text),
        model="Central",
        actors=RELEASE_ACTORS,
        releases=len(spent),
        composition=f"Sequential, all draws counted as if of the same records: draws at ε = {draws} add up to "
        f"{kept.epsilon:.4g}.",
        post_processing="Nothing more is computed from the draw.",
        rests_on=f"{only('how settings and range were chosen')} Scores are computed without noise and stay with "
        "whoever tunes.",
        mechanisms=f"{kept.source}. {PROGRAM}, samplers of OpenDP.",
        justification=only("who chose ε, when, and why"),
        curator=curator,
        exact=CHOSEN,
    )
