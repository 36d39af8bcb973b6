"""What is in the package, what it asks for, and that it says one version everywhere."""

import re
import tarfile
import tomllib
from importlib.metadata import packages_distributions
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import privbo_core
from privbo_app.__main__ import INSTALL, NEEDED
from tests.helpers.environments import ROOT, build, metadata

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PLACES = {"privbo_core": "privbo_core", "sample_data": "privbo_core/sample_data", "privbo_app": "privbo_app"} | {
    name: f"privbo_app/{name}" for name in ("pages", "static", "results", ".streamlit")
}
"""Where each folder of the project is to be found in the wheel."""
NOT_PACKED = re.compile(
    r"__pycache__|\.lock$|\.pyc$|^static/plotly\.min\.js$|^sample_data/make_\w+\.py$|secrets\.toml$"
)


def contents(path):
    with ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_it_holds_what_the_app_and_the_engine_need_and_no_more(wheel):
    expected = {"privbo_app/app.py": (ROOT / "app.py").read_bytes()}
    for folder, place in PLACES.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and not NOT_PACKED.search(path.relative_to(ROOT).as_posix()):
                expected[f"{place}/{path.relative_to(ROOT / folder).as_posix()}"] = path.read_bytes()
    found = contents(wheel)
    about = f"privbo-{privbo_core.__version__}.dist-info"
    assert {name for name in found if not name.startswith(about)} == set(expected)
    assert all(found[name] == content for name, content in expected.items())
    assert {name.split("/")[0] for name in found} == {"privbo_core", "privbo_app", about}
    assert "privbo_core/py.typed" in found


@pytest.mark.long
def test_the_source_distribution_builds_the_same_wheel(wheel, tmp_path):
    (packed,) = build(tmp_path / "packed", kinds=["sdist"])
    with tarfile.open(packed) as file:
        file.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    (again,) = build(tmp_path / "again", project=source)
    assert contents(again) == contents(wheel)
    assert (source / "tests" / "package" / "test_wheel.py").exists()


def test_one_version_is_said_everywhere(wheel):
    version = privbo_core.__version__
    number, _, developed = version.partition(".dev")
    assert re.fullmatch(r"\d+\.\d+\.\d+", number)
    assert metadata(wheel)["Version"] == version
    assert "version" in PROJECT["dynamic"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version}\n" in citation
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$", changes, re.MULTILINE)
    if developed:
        assert released[0][0] < number
        assert "## [Unreleased]\n" in changes
    else:
        assert released[0][0] == version
    # From the latest back, in the words that changelogs have.
    assert len(released) == changes.count("\n## [") - changes.count("\n## [Unreleased]\n") >= 2
    backwards = [(tuple(map(int, number.split("."))), date) for number, date in released]
    assert backwards == sorted(backwards, reverse=True)
    assert [date for _, date in released] == sorted((date for _, date in released), reverse=True)
    words = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", changes, re.MULTILINE)) <= words
    for section in re.split(r"^### .+$", changes, flags=re.MULTILINE)[1:]:
        assert re.search(r"^- \S", section, re.MULTILINE)


@pytest.mark.parametrize(
    ("extras", "listed"),
    [(["app"], "requirements.txt"), (["tune"], "tests/requirements.txt"),
     (["scale"], "tests/scale/requirements.txt")],
)  # fmt: skip
def test_what_is_asked_for_is_what_is_tested(extras, listed):
    """The packages of an extra are in the file of what is tested, in versions that the package allows."""
    pinned = dict(re.findall(r"^([\w.-]+)==(.+)$", (ROOT / listed).read_text(encoding="utf-8"), re.MULTILINE))
    asked = [Requirement(text) for extra in extras for text in PROJECT["optional-dependencies"][extra]]
    if extras == ["app"]:  # with the engine's, all of them
        asked += [Requirement(text) for text in PROJECT["dependencies"]]
        assert sorted(each.name for each in asked) == sorted(pinned)
    assert all(each.specifier.contains(pinned[each.name]) for each in asked)


def test_the_command_names_each_package_that_the_app_needs():
    names = packages_distributions()
    found = {canonicalize_name(names[module][0]) for module in NEEDED}
    assert found == {canonicalize_name(Requirement(text).name) for text in PROJECT["optional-dependencies"]["app"]}
    assert f"pip install '{PROJECT['name']}[app]'" == INSTALL
