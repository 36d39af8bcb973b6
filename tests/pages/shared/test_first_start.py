"""The very first visitors of a fresh copy: nobody's page breaks because another is setting things up."""

import threading
from pathlib import Path

from pages.parts.show import chart
from pages.parts.take_away.report import LIBRARY

VISITORS = 8


def test_first_visitors_at_the_same_moment_all_find_the_plotting_library(tmp_path, monkeypatch):
    monkeypatch.setattr(chart, "STATIC", tmp_path / "static")
    faults, together, replace = [], threading.Barrier(VISITORS, timeout=60), Path.replace

    def replace_together(path, target):
        together.wait()
        return replace(path, target)

    def come():
        try:
            chart.provide_library()
        except OSError as fault:
            faults.append(fault)

    monkeypatch.setattr(Path, "replace", replace_together)
    visitors = [threading.Thread(target=come) for _ in range(VISITORS)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert not faults
    assert [path.name for path in chart.STATIC.iterdir()] == ["plotly.min.js"]
    assert (chart.STATIC / "plotly.min.js").read_bytes() == LIBRARY.read_bytes()
