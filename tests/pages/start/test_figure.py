"""The figure of Start: it shows the engine's noise, and the ellipse holds what it says."""

import json
import math

import numpy as np
import plotly.graph_objects as go
import pytest

import privbo_core as pb
from pages.figures import start as figures

HOSPITAL = pb.data.sample("hospital")


def seen(epsilon):
    return figures.blur(HOSPITAL, pb.outsourced.Setting(epsilon, 1e-5, 10, 30).noise(HOSPITAL.frame))


def test_the_ellipse_contains_95_of_100_noisy_releases():
    """Of releases that the engine simulates of the one patient's record."""
    here, frame = seen(1.0), HOSPITAL.frame
    record = frame.place(np.array([[here.age, math.log(here.kidney)]]))
    released = pb.outsourced.noisy_release(
        np.repeat(record, 20_000, axis=0), 1.0, 1e-5, bounds=frame.bounds, rng=np.random.default_rng(1)
    )
    noise = (released.Z - (record - frame.bounds.mean(axis=1))) * frame.hide
    inside = (noise[:, 0] / here.age_reach) ** 2 + (noise[:, 1] / here.kidney_reach) ** 2 <= 1
    assert inside.mean() == pytest.approx(0.95, abs=0.006)  # four standard errors


def test_less_noise_at_a_larger_epsilon_and_a_patient_who_stays():
    small, large = seen(0.5), seen(5.0)
    assert small.age_reach > 5 * large.age_reach
    assert np.ptp(small.ages) > 3 * np.ptp(large.ages)
    assert (small.age, small.kidney) == (large.age, large.kidney)
    assert (~small.inside).sum() > (~large.inside).sum()


def test_the_axes_hold_still():
    ranges = [
        [figures.patients(seen(epsilon)).layout[axis]["range"] for axis in ("xaxis", "yaxis")]
        for epsilon in (0.01, 1.0, 1000.0)
    ]
    assert ranges[0] == ranges[1] == ranges[2]


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 30.0, 1000.0])
def test_plotly_takes_the_figure_and_its_labels_point_into_the_plot(epsilon):
    figure = figures.patients(seen(epsilon))
    drawn = json.loads(figure.to_json().replace('"pb:', '"#').replace("@", ""))
    for label in drawn["layout"]["annotations"]:
        for axis, place in (("xaxis", label["x"]), ("yaxis", label["y"])):
            low, high = drawn["layout"][axis]["range"]
            assert low <= place <= high
    assert figure.legend
    sizes = [len(trace["x"]) for trace in drawn["data"] if trace["mode"] == "markers"]
    assert sizes == [int(seen(epsilon).inside.sum()), 1]
    layout = {key: value for key, value in drawn["layout"].items() if key in ("xaxis", "yaxis", "margin")}
    for axis in ("xaxis", "yaxis"):
        layout[axis] = {"range": layout[axis]["range"], "tickvals": layout[axis]["tickvals"]}
    go.Figure(layout=layout)
