"""The holder's side: what goes out, in which order, once; and what is refused before anything counts."""

import io
import json
import math
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from privbo_core import privacy
from privbo_core.data import Frame
from privbo_core.errors import DataError
from privbo_core.outsourced import SEEN, FileStore, Ledger, MemoryStore, Outcome, Package, read_package
from privbo_core.outsourced.parties.curator import AgainError, Curator, _shuffled
from privbo_core.outsourced.parties.package import rounded
from privbo_core.privacy import Status, gaussian_sigma
from tests.helpers.holding import FRAME, OUTCOME, PRIVATE, held, in_file, people, released


@pytest.fixture
def no_noise(monkeypatch):
    """Let real noise be 0, so that one sees what it is added to; count how often it is drawn."""
    drawn = []

    def gaussian(values, mechanism, **_):
        drawn.append(mechanism)
        yield np.size(values), np.array(values, dtype=float)

    monkeypatch.setattr(privacy.release, "gaussian", gaussian)
    return drawn


LAPLACE = replace(PRIVATE, delta=0.0, noise="laplace")


def refused(words, act, *given, kind=DataError, **named):
    with pytest.raises(kind, match=words) as caught:
        act(*given, **named)
    assert "\n" not in str(caught.value)
    return caught.value


def test_what_is_released_is_the_inputs_and_noise_of_the_size_that_was_said():
    table = people(400)
    curator = held(table)
    package = released(curator, 2.0)
    order = curator.ledger.released().order
    exact = table[["age", "height"]].to_numpy()[order]
    noise = package.Z - FRAME.place(exact)
    sigma = gaussian_sigma(2.0, 1e-5, 1.0)
    assert package.sigma == pytest.approx(sigma)
    # Four in a million by chance.
    assert np.sqrt((noise**2).mean() / sigma**2) == pytest.approx(1, abs=4.6 / math.sqrt(2 * noise.size))
    assert abs(noise.mean()) < 4.6 * sigma / math.sqrt(noise.size)
    assert abs(np.corrcoef(noise.T)[0, 1]) < 4.6 / math.sqrt(400)


def test_the_package_holds_what_a_recipient_needs_and_nothing_of_the_order(no_noise):
    table = people()
    curator = held(table)
    package = released(curator, private=PRIVATE)
    back = read_package(package.to_bytes())
    assert back.to_bytes() == package.to_bytes()
    np.testing.assert_array_equal(back.Z, package.Z)
    assert (back.epsilon, back.delta, back.sigma, back.protected_distance) == (1.0, 1e-5, package.sigma, 1.0)
    assert (back.outcome, back.private, back.frame, back.rows) == (OUTCOME, PRIVATE, FRAME, 12)
    assert back.guarantee.status is Status.PROVED
    assert no_noise[0].sigma == package.sigma
    # Without noise, the rows are the table's, in the order that the ledger alone knows.
    order = curator.ledger.released().order
    sent = table[["age", "height"]].to_numpy()[order]
    np.testing.assert_allclose(back.values, sent, atol=FRAME.hide.max() * package.sigma / 1000)
    assert sorted(order) == list(range(12))
    told = package.to_bytes() + json.dumps([str(value) for value in vars(package).values()]).encode()
    assert b"person" not in told
    assert " ".join(map(str, order)).encode() not in told
    assert curator.ledger.people.secret.encode() not in told


def test_the_order_is_new_in_each_release_and_not_the_table_s():
    curator = held(people(60))
    released(curator)
    for _ in range(3):
        released(curator, again=True)
    orders = [tuple(each.order) for each in curator.ledger.releases]
    assert len({tuple(range(60)), *orders}) == 5
    assert all(sorted(order) == list(range(60)) for order in orders)


def test_every_row_is_as_likely_in_every_place():
    """Of four records each of the 24 orders comes up; counted against the chance that it does not."""
    assert len({tuple(_shuffled(np.arange(4))) for _ in range(600)}) == 24  # one of them missing: once in 5 billion


def test_rows_without_an_input_are_left_out_and_counted(no_noise):
    table = people()
    table["age"] = table["age"].astype(object)
    table.loc[2, "age"] = np.nan
    table.loc[5, "age"] = "unknown"
    table.loc[7, "height"] = np.inf
    curator = held(table)
    package = released(curator)
    assert package.rows == 9
    release = curator.ledger.released()
    assert set(release.order) == set(range(12)) - {2, 5, 7}
    assert curator.ledger.left_out(release) == 3
    assert np.isfinite(package.Z).all()
    assert curator.ledger.cost(2).inputs == 0
    assert {curator.find(row).record for row in range(1, 10)} == set(release.order)
    table["age"] = np.nan
    refused("No record of the table has a number", released, held(table))


def test_a_row_leads_back_to_its_record():
    table = people()
    curator = held(table)
    package = released(curator, 10.0)
    for row in range(1, 13):
        found = curator.find(row)
        assert found.cells == {name: table[name].iloc[found.record] for name in table.columns}
        apart = (package.values[row - 1] - [found.cells["age"], found.cells["height"]]) / (FRAME.hide * package.sigma)
        assert stats.norm.sf(np.abs(apart)).min() > 1e-9
    for row in (0, 13, -1, 1.5, True, None):
        refused(r"Row .* is not in release 1, whose rows are 1 to 12", curator.find, row)


def test_a_private_answer_is_given_once_and_repeated_for_ever(tmp_path):
    path = tmp_path / "ledger.json"
    curator = in_file(path)
    released(curator, private=PRIVATE)
    first = curator.answer(4)
    assert (first.exact, first.repeated, first.clipped) == (False, False, False)
    assert first.value != people()["glucose"].iloc[first.record]
    before = path.read_bytes()
    again = in_file(path)  # as another day would
    released(again, again=True)
    other_row = int(np.flatnonzero(again.ledger.released(2).order == first.record)[0]) + 1
    for row, release in ((4, 1), (other_row, 2)):
        for outcome in (None, 61.0, 999.0):
            repeated = again.answer(row, outcome, release=release)
            assert (repeated.value, repeated.record, repeated.repeated) == (first.value, first.record, True)
    assert len(again.ledger.answers) == 1
    assert json.loads(path.read_bytes())["answers"] == json.loads(before)["answers"]
    assert again.ledger.cost(first.record).outcome == pytest.approx(PRIVATE.epsilon)
    refused("answered privately, which cannot be corrected", again.correct, 4, 100.0, release=1)


def test_private_answers_are_clipped_to_the_public_range_before_noise(no_noise):
    curator = held()
    released(curator, private=PRIVATE)
    for row, outcome, told, clipped in ((1, 5000.25, 200, True), (2, -3.0, 60, True), (3, 123.0, 123, False)):
        answer = curator.answer(row, outcome)
        assert answer.clipped is clipped
        assert answer.value == pytest.approx(told, abs=PRIVATE.sigma / 1000)
    assert b"5000.25" not in curator._store.data  # the ledger has no need of what was measured


@pytest.mark.parametrize(
    ("private", "law"),
    [(PRIVATE, stats.norm(scale=PRIVATE.sigma)), (LAPLACE, stats.laplace(scale=LAPLACE.sensitivity / LAPLACE.epsilon))],
)
def test_the_noise_of_private_answers_is_as_said(private, law):
    curator = held(people(150))
    released(curator, private=private)
    noise = np.array([curator.answer(row, 130.0).value - 130.0 for row in range(1, 151)])
    assert stats.kstest(noise, law.cdf).pvalue > 1e-6
    # Of so many draws the deviation is off by that by chance, at most.
    kurtosis = float(law.stats(moments="k")) + 3
    assert noise.std() / private.sigma == pytest.approx(1, abs=4.6 * math.sqrt((kurtosis - 1) / 600))


def test_exact_answers_are_what_was_measured_and_change_by_a_correction_alone(tmp_path):
    curator = in_file(tmp_path / "ledger.json")
    released(curator)
    table = people()
    answer = curator.answer(4)
    assert (answer.value, answer.exact, answer.repeated) == (table["glucose"].iloc[answer.record], True, False)
    assert curator.answer(4, answer.value) == replace(answer, repeated=True)
    refused("answered with .* and 99.5 is given now; correct it", curator.answer, 4, 99.5)
    corrected = curator.correct(4, 99.5)
    assert (corrected.value, corrected.repeated) == (99.5, False)
    assert in_file(tmp_path / "ledger.json").answer(4) == replace(corrected, repeated=True)
    assert curator.correct(4, 99.5).repeated
    assert [each.value for each in curator.ledger.answers] == [answer.value, 99.5]
    refused("Row 5 has not been answered yet", curator.correct, 5, 1.0)


def test_an_outcome_must_be_there_and_a_number():
    table = people()
    table.loc[:, "glucose"] = np.nan
    curator = held(table)
    released(curator)
    refused("column 'glucose' has no number for row 3", curator.answer, 3)
    for outcome in (math.nan, math.inf, "7", True, 1e101):
        refused("The outcome of row 3 is .*; it must be a number", curator.answer, 3, outcome)
    assert not curator.ledger.answers
    assert curator.answer(3, np.float32(7)).value == 7
    bare = held(people().drop(columns="glucose"))
    released(bare)
    refused("The table has no column 'glucose': give the outcome that was measured on row 3", bare.answer, 3)
    assert bare.answer(3, 5).value == 5.0


def test_a_second_release_asks_and_says_what_both_cost():
    curator = held()
    released(curator, private=PRIVATE)
    before = curator._store.data
    caught = refused(r"was released before \(ε = 1\)", released, curator, kind=AgainError)
    assert curator._store.data == before
    assert isinstance(caught, DataError)
    assert caught.cost == curator.ledger.after_release(1.0, 1e-5)
    assert f"{caught.cost.inputs:.4g}" in str(caught)
    assert 1.4 < caught.cost.inputs < 1.5
    package = released(curator, again=True)
    assert package.release == 2
    assert curator.ledger.cost() == caught.cost
    refused("say which release the row is of: 1, 2", curator.answer, 3)
    refused("no release 3 in this ledger", curator.answer, 3, release=3)
    assert curator.answer(3, release=2).row == 3


def test_a_release_that_was_never_finished_counts_and_cannot_be_asked_of():
    curator = held()
    curator.release(FRAME, 1.0, 1e-5, outcome=OUTCOME)  # and nobody goes on
    assert [each.finished for each in curator.ledger.releases] == [False]
    assert curator.ledger.cost().inputs == pytest.approx(1.0)
    refused("Nothing has been released", curator.answer, 1)
    refused("1 of them not finished, which counts too", released, curator, kind=AgainError)
    package = released(curator, again=True)
    assert (package.release, curator.find(1).release) == (2, 2)
    refused("no release 1", curator.answer, 1, release=1)


def test_a_release_says_how_far_it_is(monkeypatch):
    def in_pieces(values, mechanism, **_):
        for done in (8, 16, 24):
            yield done, np.zeros_like(values)

    monkeypatch.setattr(privacy.release, "gaussian", in_pieces)
    steps = list(held().release(FRAME, 1.0, 1e-5, outcome=OUTCOME))
    assert [(step.done, step.total) for step in steps] == [(8, 24), (16, 24), (24, 24)]
    assert [step.package is None for step in steps] == [True, True, False]


def test_the_terms_of_answers_stay_as_the_first_release_has_them():
    curator = held()
    released(curator, private=PRIVATE)
    for other in ({"private": replace(PRIVATE, epsilon=9.0)}, {"outcome": Outcome("insulin")}):
        refused("first release of this table says otherwise", released, curator, again=True, **other)
    package = curator.release_whole(FRAME, 1.0, 1e-5, again=True)
    assert (package.outcome, package.private) == (OUTCOME, PRIVATE)
    exact = held()
    released(exact)
    refused("first release of this table says otherwise", released, exact, again=True, private=PRIVATE)


def test_what_cannot_be_released_counts_nothing(tmp_path):
    path = tmp_path / "ledger.json"
    curator = in_file(path)
    read_off = Frame((replace(FRAME.columns[0], known_from=""), FRAME.columns[1]))
    weight = Frame((replace(FRAME.columns[0], name="weight"),))
    for words, frame, given in (
        ("does not say from where 'age' was known", read_off, {}),
        ("frame's column 'weight' is not in the table", weight, {}),
        ("epsilon of the release is 0", FRAME, {"epsilon": 0.0}),
        ("epsilon of the release is nan", FRAME, {"epsilon": math.nan}),
        ("delta of the release is 1", FRAME, {"delta": 1.0}),
        ("protected_distance of the release is -1", FRAME, {"protected_distance": -1.0}),
        ("must say what will be measured", FRAME, {"outcome": None}),
        ("'age' is the outcome and a column of the frame", FRAME, {"outcome": Outcome("age")}),
    ):
        given = {"epsilon": 1.0, "delta": 1e-5, "outcome": OUTCOME} | given
        refused(words, curator.release, frame, **given)
        assert not path.exists()
    package = curator.release_whole(read_off, 1.0, 1e-5, outcome=OUTCOME, accept_read_off=True)
    assert package.guarantee.status is Status.CONDITIONAL
    assert read_package(package.to_bytes()).frame.read_off == ("age",)
    refused("half of a character", Outcome, "\ud800")
    refused("again_please", curator.release, FRAME, 1.0, 1e-5, kind=TypeError, again_please=True)


@pytest.mark.parametrize("rows", [11, 12])
def test_a_release_whose_ledger_was_replaced_is_not_handed_out(rows):
    store = MemoryStore()
    steps = Curator(people(), store).release(FRAME, 1.0, 1e-5, outcome=OUTCOME)
    store.data = b""
    released(Curator(people(rows), store))
    refused("The ledger was replaced", list, steps)


def test_a_release_that_promises_other_answers_than_the_ledger_is_not_handed_out():
    """Two that begin before either is finished: the terms are those of the later, and only what says so goes out."""
    for first, later in (({}, {"private": PRIVATE}), ({"private": PRIVATE}, {}), ({"outcome": Outcome("x")}, {})):
        curator = held()
        early = curator.release(FRAME, 1.0, 1e-5, **{"outcome": OUTCOME} | first)
        late = curator.release(FRAME, 1.0, 1e-5, outcome=OUTCOME, again=True, **later)
        refused("The ledger was replaced", list, early)
        *_, last = late
        assert last.package.private == curator.ledger.private == later.get("private")
        assert [each.finished for each in curator.ledger.releases] == [False, True]


def test_the_ledger_is_private_to_its_owner_and_the_release_is_not_in_it(tmp_path):
    path = tmp_path / "ledger.json"
    package = released(in_file(path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert FileStore(path).read().released().csv == package.digest
    assert f"{package.values[0, 0]}" not in path.read_text()


def test_figures_are_cut_off_where_they_mean_nothing():
    values = np.array([[123.456789, -0.000123456], [1e20 / 3, 5.0]])
    np.testing.assert_array_equal(rounded(values, np.array([7.0, 2e-3])), [[123.457, -0.000123], [1e20 / 3, 5.0]])
    assert float(rounded(np.array(12345.678), 40000.0)) == 12350.0
    extreme = np.array([1e-300, 1e290])
    np.testing.assert_array_equal(rounded(extreme, np.array([1e-301, 1e-200])), extreme)


def test_a_readme_tells_the_recipient_what_was_promised():
    for private, words in ((None, "Outcomes are not hidden either"), (PRIVATE, "Outcomes that are 10 mg/dL apart")):
        package = released(held(), private=private)
        told = package_readme(package)
        age = "age: from 50 to 110 years, with noise of standard deviation 14.92 years"
        facts = ("ε = 1 and δ = 1e-05", "4 years of age", "largest glucose (mg/dL)", "normal distribution")
        assert [said for said in (words, age, package.digest, *facts) if said not in told] == []
        assert SEEN not in told
    assert "normal" not in package_readme(replace(package, noise="laplace", delta=0.0))


def test_an_epsilon_chosen_by_searches_on_the_records_is_part_of_what_is_promised():
    curator = held()
    package = released(curator, looked=True)
    kept = Ledger.from_bytes(curator.ledger.to_bytes()).releases[0]
    for terms in (package, Package.from_bytes(package.to_bytes()), kept):
        assert terms.looked
        assert terms.guarantee.status is Status.CONDITIONAL
        assert any(SEEN in said for said in terms.guarantee.in_full)
    assert SEEN in package_readme(package)
    plain = released(held())
    assert plain.guarantee.status is Status.PROVED
    assert f"{plain.guarantee.stands} The number of rows" in package_readme(plain)


def package_readme(package):
    with zipfile.ZipFile(io.BytesIO(package.to_bytes())) as archive:
        return " ".join(archive.read("README.txt").decode().split())


def test_names_that_a_spreadsheet_would_run_come_back():
    odd = Frame((replace(FRAME.columns[0], name='=cmd|"x",;é'), replace(FRAME.columns[1], name="row")))
    table = people().rename(columns={"age": '=cmd|"x",;é', "height": "row"})
    package = held(table).release_whole(odd, 1.0, 1e-5, outcome=OUTCOME)
    assert Package.from_bytes(package.to_bytes()).frame == odd
    assert b"\"'=cmd" in package.csv
