"""The container has what the app needs, and no more."""

import asyncio
import re
import shutil

import pytest

from tests.helpers.serving import ROOT, serving
from tests.helpers.visitor import Visitor

LINES = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()

SEEN = {
    "": "patients", "data": "column", "tour": "tour", "outsourced": "condition", "release": "score",
    "federated": "privacy", "tradeoff": "tradeoff", "audit": "attack", "papers": "papers", "reproduce": "papers",
}  # fmt: skip
"""The pages, and a figure of each."""
COPIED = {name for line in LINES if re.match(r"COPY (?!--from)", line) for name in line.split()[1:-1]}


@pytest.mark.long
def test_what_is_copied_into_the_container_is_enough_for_every_page(tmp_path):
    inside = tmp_path / "app"
    inside.mkdir()
    for name in COPIED - {"requirements.txt"}:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, inside / name, ignore=shutil.ignore_patterns("__pycache__", "plotly.min.js"))
        else:
            shutil.copy(ROOT / name, inside)

    async def visit(port):
        assert {file.stem for file in (inside / "pages").glob("*.py")} == {page or "start" for page in SEEN}
        for page, figure in SEEN.items():
            visitor = await Visitor.arrive(port, page)
            await visitor.until(lambda v=visitor, f=figure: f in v.pictures)
            assert not visitor.errors, page
            await visitor.leave()

    with serving(tmp_path, folder_of_app=inside) as server:
        asyncio.run(visit(server.port))
    assert "Traceback" not in server.log.read_text()


def test_only_what_is_copied_is_sent_to_the_builder_and_the_app_runs_without_rights_and_watched():
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert "*" in ignored
    assert {name[1:] for name in ignored if name.startswith("!")} == COPIED
    users = [line.split()[1] for line in LINES if line.startswith("USER ")]
    assert users
    assert users[-1] not in ("root", "0")
    assert any(line.startswith("HEALTHCHECK ") and "/_stcore/health" in line for line in LINES)
    assert LINES[[k for k, line in enumerate(LINES) if line.startswith("USER ")][-1] :][-1].startswith("CMD ")
    pins = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", pin) for pin in pins)
