"""Ledgers and releases that are damaged, changed, newer or another's: one sentence each, and files stay as they are."""

import io
import json
import re
import threading
import time
import zipfile

import numpy as np
import pytest

from privbo_core import files
from privbo_core.errors import DataError
from privbo_core.outsourced import FileStore, Ledger, MemoryStore, Package, read_package
from privbo_core.outsourced.parties import package as packages
from tests.helpers.holding import PRIVATE, held, in_file, released, sentence


@pytest.fixture(scope="module")
def ledger():
    """The bytes of a ledger with two releases and three answers, one of them twice asked for."""
    store = MemoryStore()
    curator = held(store=store)
    released(curator, private=PRIVATE)
    released(curator, again=True)
    for row in (1, 5, 9, 5):
        curator.answer(row, release=1)
    return store.data


@pytest.fixture(scope="module")
def release():
    """The bytes of a release with private answers."""
    return released(held(), private=PRIVATE).to_bytes()


def changed(data, change):
    found = json.loads(data)
    change(found)
    return json.dumps(found).encode()


def resealed(data, change):
    """Return a ledger with this change and the digest that it would have with it."""
    found = json.loads(changed(data, change))
    digest = found.pop("digest", None)
    whole = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    new = {} if digest is None else {"digest": files.digest(whole.encode(errors="replace"))}
    return json.dumps(found | new).encode()


def setting(*path, to):
    """Return a change of a JSON object: the entry under these keys becomes ``to``, or goes if that is …."""

    def change(found):
        for key in path[:-1]:
            found = found[key]
        if to is ...:
            del found[path[-1]]
        else:
            found[path[-1]] = to

    return change


LEDGERS = {
    "newer": (setting("version", to=3), "update the program"),
    "older": (setting("version", to=1), "version is 1; this program reads version 2; go on with the one that wrote it"),
    "another file": (setting("format", to="privbo frame"), "format is 'privbo frame'"),
    "unknown key": (setting("colour", to=1), "has the key 'colour'"),
    "a key less": (setting("answers", to=...), "lacks the key 'answers'"),
    "nobody": (setting("people", to=None), "must hold different records from 0 to -1"),
    "somebody missing": (lambda f: f["people"].update(digests=f["people"]["digests"][33:]), "records from 0 to 10"),
    "no person": (setting("people", "digests", to="abc"), "digests of the people of the ledger is 'abc'"),
    "no secret": (setting("people", "secret", to=""), "it must be 64 digits from 0 to f"),
    "no columns": (setting("people", "columns", to=[]), "columns of the ledger must be one or more"),
    "one person twice": (lambda f: f["people"].update(digests=" ".join(["0" * 32] * 12)), "who was answered before"),
    "a release twice": (lambda f: f["releases"].append(f["releases"][0]), "Release 3 of the ledger has the number 1"),
    "a release gone": (lambda f: f["releases"].pop(0), "Release 1 of the ledger has the number 2"),
    "no csv": (setting("releases", 0, "csv", to="sha256:1"), "csv of release 1 of the ledger is 'sha256:1'"),
    "order of words": (setting("releases", 0, "order", to="1 2 x"), "holds something that is no record"),
    "order of giants": (setting("releases", 0, "order", to="1" * 30), "holds something that is no record"),
    "order twice": (setting("releases", 0, "order", to="1 1"), "must hold different records"),
    "order empty": (setting("releases", 0, "order", to=""), "must hold different records"),
    "order below": (setting("releases", 0, "order", to="-1 2"), "must hold different records"),
    "less noise": (setting("releases", 0, "sigma", to=0.1), "sigma of the release is 0.1"),
    "another ε": (setting("releases", 0, "epsilon", to=0.5), "sigma of the release is 3.73"),
    "δ": (setting("releases", 0, "delta", to=2), "delta of the release is 2"),
    "time": (setting("releases", 0, "made", to="yesterday"), "made is 'yesterday'"),
    "frame": (setting("releases", 0, "frame", "columns", 0, "low", to=200), "low must be below high"),
    "no outcome": (setting("outcome", to=None), "has releases and no outcome"),
    "terms gone": (setting("private", to=None), "is not exact, other than the ledger's terms say"),
    "answer infinite": (setting("answers", 0, "value", to=1e200), "between ±1e100"),
    "answer exact": (setting("answers", 0, "exact", to=True), "is exact, other than the ledger's terms say"),
    "answer of none": (setting("answers", 0, "row", to=13), "from 1 to 12"),
    "answer of no release": (setting("answers", 0, "release", to=3), "from 1 to 2"),
    "answer of another": (lambda f: f["answers"][0].update(row=2), "which is not row 2 of release 1"),
    "answered twice": (lambda f: f["answers"].append(f["answers"][0]), "for somebody who was answered before"),
    "an answer corrected": (setting("answers", 0, "corrects", to=True), "other than the ledger's terms say"),
    "time of an answer": (setting("answers", 0, "when", to=""), "when is ''"),
    "half a character": (setting("program", to="\ud800"), "half of a character"),
    "no digest of its own": (setting("digest", to=...), "lacks the key 'digest'"),
}


@pytest.mark.parametrize("how", LEDGERS)
def test_a_ledger_that_does_not_fit_is_one_sentence_and_stays_as_it_is(tmp_path, ledger, how):
    change, words = LEDGERS[how]
    path = tmp_path / "ledger.json"
    path.write_bytes(resealed(ledger, change))
    before = path.read_bytes()
    curator = in_file(path)
    assert words in sentence(lambda: curator.ledger)
    sentence(curator.answer, 1)
    sentence(lambda: released(curator, again=True))
    assert path.read_bytes() == before


def test_a_ledger_cut_off_anywhere_is_no_ledger(tmp_path, ledger):
    path = tmp_path / "ledger.json"
    for length in [0, 1, 2, *range(3, len(ledger) - 1, 37), len(ledger) - 2]:
        path.write_bytes(ledger[:length])
        assert sentence(FileStore(path).read).startswith("The ledger ")
        sentence(lambda: released(in_file(path), again=True))
        assert path.read_bytes() == ledger[:length]


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"[]", b'{"format": NaN}'])
def test_what_is_no_ledger_at_all(data):
    sentence(Ledger.from_bytes, data)


def test_a_ledger_in_which_anything_was_changed_is_refused(ledger):
    assert Ledger.from_bytes(resealed(ledger, lambda found: None)).to_bytes() == ledger
    more = resealed(ledger, lambda found: found["answers"].pop())
    assert len(Ledger.from_bytes(more).answers) == 2
    for change in (
        lambda found: found["answers"].pop(),
        setting("answers", 0, "value", to=5.0),
        setting("people", "secret", to="0" * 64),
    ):
        assert "its digest differs" in sentence(Ledger.from_bytes, changed(ledger, change))
    rng, refused = np.random.default_rng(3), 0
    for place in rng.choice(len(ledger), 400, replace=False):
        data = bytearray(ledger)
        data[place] ^= 1 << int(rng.integers(7))
        try:
            found = Ledger.from_bytes(bytes(data))
        except DataError:
            refused += 1
        else:  # blanks between entries
            assert found.to_bytes() == ledger
    assert refused > 200


def test_a_ledger_where_there_can_be_none(tmp_path):
    (tmp_path / "ledger.json").mkdir()
    assert "cannot be read" in sentence(FileStore(tmp_path / "ledger.json").read)
    assert "cannot be held" in sentence(lambda: released(in_file(tmp_path / "none" / "ledger.json")))


def test_two_at_the_same_ledger(tmp_path):
    """A second program that comes while the first writes an entry is refused, and has given no answer."""
    path = tmp_path / "ledger.json"
    released(in_file(path), private=PRIVATE)
    before = path.read_bytes()
    with files.alone(path):  # as by another program: tests of `files` have one
        assert "in use by another program" in sentence(in_file(path).answer, 1)
        assert "in use by another program" in sentence(lambda: released(in_file(path), again=True))
        assert path.read_bytes() == before
    assert in_file(path).answer(1).repeated is False


def test_many_who_ask_at_once_get_one_answer_each_record(tmp_path):
    path = tmp_path / "ledger.json"
    released(in_file(path), private=PRIVATE)
    told, refused = {}, []

    def ask(start):
        curator = in_file(path)
        for turn in range(12):
            row = (start + turn) % 12 + 1
            while True:
                try:
                    told.setdefault(row, set()).add(curator.answer(row).value)
                    break
                except DataError as fault:
                    refused.append(str(fault))
                    time.sleep(0.002)

    threads = [threading.Thread(target=ask, args=(start,)) for start in (0, 3, 6, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("in use by another program" in said for said in refused)
    assert [len(told[row]) for row in range(1, 13)] == [1] * 12
    ledger = FileStore(path).read()
    assert {answer.row: {answer.value} for answer in ledger.answers} == told
    assert len(ledger.answers) == 12


def parts(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def repacked(data, **changes):
    found = parts(data)
    names = {"csv": "release.csv", "about": "release.json", "readme": "README.txt"}
    for which, change in changes.items():
        found[names[which]] = change(found[names[which]])
    return files.zipped({name: content for name, content in found.items() if content is not None})


def about(*path, to):
    return lambda data: repacked(data, about=lambda text: changed(text, setting(*path, to=to)))


def table(change):
    """Return a change of release.csv whose digest is put right."""

    def change_both(data):
        csv = change(parts(data)["release.csv"])
        return about("csv", to=files.digest(csv))(repacked(data, csv=lambda _: csv))

    return change_both


def with_names(*names):
    return lambda data: files.zipped(parts(data) | dict.fromkeys(names, b"x"))


PACKAGES = {
    "newer": (about("version", to=2), "update the program"),
    "another file": (about("format", to="privbo search"), "format is 'privbo search'"),
    "unknown key": (about("colour", to=1), "has the key 'colour'"),
    "a key less": (about("rows", to=...), "lacks the key 'rows'"),
    "not JSON": (lambda data: repacked(data, about=lambda _: b"{"), "release.json is not a JSON file"),
    "not UTF-8": (lambda data: repacked(data, about=lambda _: b"\xff"), "release.json is not a text in UTF-8"),
    "digest": (about("csv", to="sha256:" + "0" * 64), "its digest differs"),
    "a figure changed": (lambda data: repacked(data, csv=lambda csv: csv.replace(b"1", b"2", 1)), "its digest differs"),
    "rows": (about("rows", to=13), "has 12 rows and release.json says 13"),
    "rows none": (about("rows", to=0), "rows of release.json is 0"),
    "other columns": (about("frame", "columns", 0, "name", to="weight"), "does not have the columns of its frame"),
    "a column less": (lambda data: about("frame", "columns", to=json.loads(parts(data)["release.json"])["frame"][
        "columns"][:1])(data), "sigma|columns"),
    "less noise": (about("sigma", to=1.0), "sigma of the release is 1"),
    "ε": (about("epsilon", to=0), "epsilon of the release is 0"),
    "protected": (about("protected_distance", to=0), "protected_distance of the release is 0"),
    "read off": (about("read_off", to=["age"]), "names other columns than the frame does"),
    "outcome": (about("outcome", "name", to=""), "name of the outcome is empty"),
    "answers": (about("answers", "kind", to="honest"), "kind must be 'exact' or 'private'"),
    "answers' δ": (about("answers", "delta", to=0), "delta of private answers is 0"),
    "exact and more": (about("answers", to={"kind": "exact", "low": 1}), "has the key 'low'"),
    "half a character": (about("frame", "columns", 0, "name", to="\ud800"), "half of a character"),
    "half in a key": (about("\ud800", to=1), "has the key '.ud800'"),
    "release": (about("release", to=0), "release is 0"),
    "no number": (table(lambda csv: csv.replace(b"\r\n1,", b"\r\n1,x", 1)), "a cell that is not a number"),
    "infinite": (table(lambda csv: csv[: csv.rindex(b",") + 1] + b"1e999\r\n"), "not a finite number"),
    "a cell less": (table(lambda csv: csv[: csv.rindex(b",")] + b"\r\n"), "not a finite number"),
    "a cell more": (table(lambda csv: csv[:-2] + b",5\r\n"), "rows of different lengths"),
    "a row less": (table(lambda csv: csv[: csv.rindex(b"\n", 0, -2) + 1]), "has 11 rows"),
    "no rows": (table(lambda csv: csv[: csv.index(b"\n") + 1]), "release.csv holds"),
    "numbered otherwise": (table(lambda csv: csv.replace(b"\r\n2,", b"\r\n3,", 1)), "not numbered from 1 to 12"),
    "no table": (lambda data: files.zipped({k: v for k, v in parts(data).items() if k != "release.csv"}),
                 "lacks release.csv"),
    "way out": (with_names("../../.bashrc"), "holds '../../.bashrc' beside"),
    "cut off": (lambda data: data[:-30], "not a ZIP file that can be read"),
    "no ZIP": (lambda data: b"row,age\r\n1,2\r\n", "not a ZIP file that can be read"),
}  # fmt: skip


@pytest.mark.parametrize("how", PACKAGES)
def test_a_release_that_does_not_fit_is_one_sentence(tmp_path, release, how):
    change, words = PACKAGES[how]
    path = tmp_path / "release.zip"
    path.write_bytes(change(release))
    before = sorted(tmp_path.iterdir())
    assert re.search(words, sentence(read_package, path))
    assert sentence(Package.from_bytes, path.read_bytes()) == sentence(read_package, io.BytesIO(path.read_bytes()))
    assert sorted(tmp_path.iterdir()) == before


def test_a_release_cut_off_or_flipped_anywhere_is_one_sentence_or_the_same(release):
    whole = read_package(release)
    for length in range(0, len(release), 41):
        sentence(Package.from_bytes, release[:length])
    rng, said = np.random.default_rng(4), []
    for place in rng.choice(len(release), 300, replace=False):
        data = bytearray(release)
        data[place] ^= 1 << int(rng.integers(8))
        try:
            found = Package.from_bytes(bytes(data))
        except DataError as fault:
            said.append(str(fault))
        else:  # in the ZIP's own notes, such as a date
            np.testing.assert_array_equal(found.Z, whole.Z)
            assert (found.epsilon, found.sigma, found.private) == (whole.epsilon, whole.sigma, whole.private)
    assert len(said) > 100
    assert not any("\n" in each for each in said)


def test_a_file_packed_twice_under_one_name(release):
    packed = io.BytesIO(release)
    with zipfile.ZipFile(packed, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("release.csv", b"x")
    assert "holds 'release.csv' more than once" in sentence(Package.from_bytes, packed.getvalue())


@pytest.mark.parametrize("lying", [False, True])
def test_a_zip_bomb_is_not_unpacked(monkeypatch, release, lying):
    """A hundred times what may be there, packed small: it is read up to the limit alone, whatever its size claims."""
    monkeypatch.setitem(packages.MOST, "release.csv", 100_000)
    monkeypatch.setattr(files, "DENSE", 10**9)  # as others pack
    data = repacked(release, csv=lambda _: b"0" * 10_000_000)
    if lying:  # both notes of the size say 50 000
        data = data.replace((10_000_000).to_bytes(4, "little"), (50_000).to_bytes(4, "little"))
    assert len(data) < 50_000
    read = []
    real = zipfile.ZipExtFile.read

    def counted(self, n=-1):
        found = real(self, n)
        read.append(len(found))
        return found

    monkeypatch.setattr(zipfile.ZipExtFile, "read", counted)
    said = sentence(Package.from_bytes, data)
    assert "release.csv in the release is larger than 100 kB" in said or lying
    assert sum(read) < 200_000


def test_a_release_too_large_to_be_read_is_not_made(monkeypatch):
    monkeypatch.setattr("privbo_core.outsourced.parties.curator.MOST_NUMBERS", 20)
    curator = held()
    assert "would have 24 numbers" in sentence(lambda: released(curator))
    assert curator._store.data == b""
    monkeypatch.setattr("privbo_core.outsourced.parties.curator.MOST_NUMBERS", 24)
    monkeypatch.setattr("privbo_core.outsourced.parties.curator.MAX_ROWS", 11)
    assert "of a table of 12 records" in sentence(lambda: released(curator))
