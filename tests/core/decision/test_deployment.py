"""A deployment’s record has the registry’s fields and choices, says what ledgers say, and guesses nothing."""

import datetime
import re
from dataclasses import replace

import jsonschema
import pandas as pd
import pytest
import yaml

from privbo_core.deployment import Curator, planned, published, searched
from privbo_core.errors import DataError
from privbo_core.outsourced.parties.ledger import Ledger
from privbo_core.privacy import Status
from privbo_core.tuning import publish, read_scores
from tests.core.decision.test_order import DECISION
from tests.helpers.holding import PRIVATE, held, people, released

TEXT, NUMBER = {"type": "string", "minLength": 3}, {"type": "number"}
MANY = {"type": "array", "items": TEXT, "minItems": 1}


def one_of(*names):
    return {"enum": list(names)}


PARTS = {
    "basic": {
        "name": TEXT, "data_curators": MANY, "description": TEXT, "intended_use": TEXT, "data_product_region": TEXT,
        "data_product_type": one_of("Summary statistics", "Machine learning model", "Dataset", "Synthetic data"),
        "data_product_sector": one_of("Technology", "Healthcare", "Education", "Government", "Energy", "Finance"),
        "publication_date": {"type": "string", "format": "date"},
    },
    "dp_variant": {
        "variant_name": one_of("Pure DP", "Approximate DP", "Zero-concentrated DP", "Renyi DP", "Custom"),
        "data_domain": TEXT, "unprotected_quantities": TEXT,
    },
    "privacy_loss": {
        "privacy_unit": TEXT, "privacy_unit_details": TEXT, "privacy_parameters_details": TEXT,
        "privacy_parameters": {
            "properties": {"epsilon": NUMBER, "delta": NUMBER}, "additionalProperties": False, "required": ["epsilon"],
        },
    },
    "deployment_model": {
        "model_name": one_of("Local", "Central", "Shuffle", "Federated"), "model_name_details": TEXT, "actors": TEXT,
        "release_type": one_of("One release", "Many releases"), "release_type_details": TEXT,
        "data_source_type": one_of("Static", "Dynamic"), "data_source_type_details": TEXT,
        "access_type": one_of("Interactive", "Non-interactive"), "access_type_details": TEXT,
    },
    "accounting": {"post_processing": TEXT, "composition": TEXT},
    "implementation": {"preprocessing_and_hyperparameter_tuning": TEXT, "mechanisms": TEXT, "justification": TEXT},
    "administrative": {"sources": TEXT, "notes": TEXT, "registry_authors": MANY},
}  # fmt: skip
MAY_LACK = {"data_product_sector"}  # A choice that only the curator can make.


def closed(parts):
    required = [name for name in parts if name not in MAY_LACK]
    return {"type": "object", "properties": parts, "required": required, "additionalProperties": False}


WHOLE = closed({name: closed(parts) for name, parts in PARTS.items()})
SLUG = {"type": "string", "pattern": "^[a-z0-9-]+$"}
FORM = closed({"url_slug": SLUG, "status": one_of("Draft"), "tier": one_of(3), "deployment": WHOLE})
BOARD = Curator(
    "The ward", "Bavaria; GDPR", "A trial", "Healthcare", ("A. Muster",), "The ward alone.",
    recipient="A lab.", contract="Nobody is looked for", retention="A year",
)  # fmt: skip


def parts_of(deployment):
    """Return the record as it comes out of its file, valid."""
    found = yaml.safe_load(deployment.to_yaml())
    assert found == deployment.fields
    jsonschema.validate(found, FORM, format_checker=jsonschema.FormatChecker())
    return found["deployment"]


def never_less(epsilon, delta):
    """Return what a record says of them: four digits, rounded up."""
    sizes = {"epsilon": epsilon, "delta": delta}
    return {name: pytest.approx(size * (1 + 5e-4), rel=5e-4 + 1e-9) for name, size in sizes.items() if size}


def a_draw(**known):
    tried = pd.DataFrame({"C": [0.1, 1.0, 10.0], "score": [0.6, 0.8, 0.7]})
    return publish(read_scores(tried, score_range=(0, 1), records=2000, **known), epsilon=1.0, score_share=0.5)


def test_every_system_has_a_valid_record_with_its_guarantee():
    curator, claimed = held(), replace(a_draw().guarantee, status=Status.CLAIMED)
    released(curator)
    for deployment, variant, model in (
        (planned(DECISION), "Custom", "Central"),
        (planned(replace(DECISION, delta=0.0), BOARD), "Custom", "Central"),
        (planned(replace(DECISION, private=PRIVATE)), "Custom", "Central"),
        (searched(curator.ledger), "Custom", "Central"),
        (published([a_draw().guarantee], "Which C", "2026-03-31"), "Pure DP", "Central"),
        (published([claimed], "By a prior", "2026-03-31"), "Custom", "Central"),
    ):
        found, kept = parts_of(deployment), deployment.guarantee
        loss = found["privacy_loss"]
        assert (found["dp_variant"]["variant_name"], found["deployment_model"]["model_name"]) == (variant, model)
        assert loss["privacy_parameters"] == never_less(kept.epsilon, kept.delta)
        assert kept.neighbours in loss["privacy_unit_details"]
        assert all(each[1:] in loss["privacy_parameters_details"] for each in (*kept.in_full, *kept.assumptions))
        # The record, the review sheet and the card say alike how far it holds.
        assert kept.standing()[1:] in kept.stands
        assert loss["privacy_parameters_details"].startswith(kept.stands)
        assert f" {kept.stands}" in deployment.levels[0].program
        said = f"{deployment.to_yaml().decode()}{deployment.levels}"
        assert not re.search(r"\de-\d|\d\.\d{6,}[1-9]", said)  # 1e-05, 0.002442175215011432
        assert ("but for δ" in said) == bool(kept.delta)
        assert ("whole record is not hidden" in loss["privacy_unit_details"]) == (not deployment.whole)


def test_what_only_the_curator_can_say_is_marked_until_it_is_said():
    open_, said = (parts_of(planned(DECISION, curator)) for curator in (Curator(), BOARD))
    assert str(open_).count("nly the curator can say") - str(said).count("nly the curator can say") == 8
    assert "data_product_sector" not in open_["basic"]
    assert said["basic"]["data_product_sector"] == "Healthcare"
    assert said["administrative"]["registry_authors"] == ["A. Muster"]
    assert DECISION.digest in said["administrative"]["sources"]


WRONG = {
    "": "", " \t\n ": "", "null": "null", "~ no": "~ no", ": - {{ }} # & * !": ": - {{ }} # & * !", "- 1e-06":"- 1e-06",
    "a\nb\r\n  c: d": "a b c: d", "<b>x</b> & \"q\" 'q' \\": "<b>x</b> & \"q\" 'q' \\", "%s {0} $x$": "%s {0} $x$",
    "x\u202eevil\u2066\u200f": "xevil", "a\x00\x07\x7f\x85\u2028\ufeffb": "a b", "a\ud800\ue004b": "a b",
    "👩\u200d🔬 Łódź שלום": "👩\u200d🔬 Łódź שלום", "word " * 100: ("word " * 100).strip(),
}  # fmt: skip
"""What somebody types, and what of it a record says; nothing that can be seen leaves it marked as open."""


@pytest.mark.parametrize("typed", WRONG)
def test_whatever_is_typed_or_stands_in_a_table_comes_out_of_the_file_as_it_can_be_read(typed):
    curator = Curator(typed, typed, typed, None, (typed, "A. Muster"), typed, typed, typed, typed)
    deployment = published([a_draw().guarantee], f"Tuned: {typed}", "2026-03-31", curator)
    found, read = parts_of(deployment), WRONG[typed]
    assert found["basic"]["data_curators"] == [read or "[Only the curator can say who publishes it]"]
    assert found["administrative"]["registry_authors"] == ([read] if read else []) + ["A. Muster"]
    assert read in found["basic"]["name"]
    for part, name in (("deployment_model", "actors"), ("implementation", "mechanisms")):
        assert (read[1:] in found[part][name]) if read else ("[Only the curator can say" in found[part][name])
    texts = [str(found), *(f"{level.program}{level.holder}" for level in deployment.levels)]
    assert not re.search(r"[\u202a-\u202e\u2066-\u2069\ue000-\uf8ff\x00-\x08]", "".join(texts))


def test_a_sector_is_one_of_the_registry_s():
    with pytest.raises(ValueError, match="one of Technology, Healthcare"):
        Curator(sector="Fishing")


def test_a_damaged_ledger_has_no_record():
    curator = held()
    released(curator, private=PRIVATE)
    whole = curator.ledger.to_bytes()
    assert searched(Ledger.from_bytes(whole)).fields == searched(curator.ledger).fields
    for damaged in (whole[:-30], whole.replace(b'"epsilon"', b'"epsilom"', 1), whole.replace(b"1.0", b"-1.0", 1), b""):
        with pytest.raises(DataError):
            searched(Ledger.from_bytes(damaged))


def test_a_ledger_s_record_has_its_total_and_still_does_after_one_more_answer():
    curator = held()
    released(curator, private=PRIVATE)
    released(curator, epsilon=0.5, again=True)
    for row in (1, 2):
        cost = curator.ledger.cost()
        found = parts_of(searched(curator.ledger))
        assert found["privacy_loss"]["privacy_parameters"] == never_less(cost.both, cost.delta)
        assert found["deployment_model"]["release_type"] == "Many releases"
        assert "told as it was measured" not in found["dp_variant"]["unprotected_quantities"]
        assert "ε = 1, 0.5" in found["accounting"]["composition"]
        curator.answer(row, release=2)
    ordered = replace(DECISION, private=PRIVATE)
    found = parts_of(planned(ordered))
    assert found["privacy_loss"]["privacy_parameters"] == never_less(ordered.cost.both, ordered.cost.delta)
    assert "told as it was measured" not in found["dp_variant"]["unprotected_quantities"]
    assert "the outcome of each record" in found["privacy_loss"]["privacy_unit_details"]


def test_of_a_chosen_setting_no_record_says_that_it_carries_noise_on_a_grid():
    chosen = published([a_draw().guarantee], "Which C", "2026-03-31")
    for deployment in (chosen, planned(DECISION)):
        said = parts_of(deployment)["implementation"]["mechanisms"]
        assert ("Which setting goes out is drawn" in said) == (deployment is chosen)
        assert ("Numbers are put on a grid" in said) == (deployment is not chosen)


def test_what_several_draws_cost_stands_together():
    loss = parts_of(published([a_draw().guarantee] * 3, "Which C", "2026-03-31"))["privacy_loss"]
    assert loss["privacy_parameters"] == {"epsilon": 3.0}


def test_nothing_is_recorded_where_nothing_went_out_or_nothing_was_promised():
    with pytest.raises(DataError, match="Nothing was released"):
        searched(held().ledger)
    with pytest.raises(DataError, match="Nothing was drawn"):
        published([], "Which C", "2026-03-31")


def test_a_public_record_is_the_same_for_neighbouring_tables(monkeypatch):
    """Nothing of a record is computed from the data: not even with exact outcomes told."""
    monkeypatch.setattr("privbo_core.files.now", lambda: "2026-03-31T12:00:00+00:00")
    found, other = [], {"age": [110.0, *people()["age"][1:]], "glucose": [60.0, *people()["glucose"][1:]]}
    for table in (people(), people().assign(**other)):
        curator = held(table)
        released(curator)
        curator.answer(3)
        found.append(searched(curator.ledger).to_yaml())
    assert found[0] == found[1]
    assert datetime.date.fromisoformat(yaml.safe_load(found[0])["deployment"]["basic"]["publication_date"])
