"""Input that cannot be used is named."""

import math
from dataclasses import replace

import pytest

import privbo_core as pb
from privbo_core.federated import Settings, run, sub_regions
from tests.helpers.small_federation import KERNEL, PRIVATE, SMALL, rounds

SETTING = Settings(KERNEL, 0.01)


def started(objectives, points=SMALL.points):
    return run(objectives, points, SETTING, None)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: replace(SETTING, q=0.0), "q is 0.0; it must lie above 0 and be at most 1"),
        (lambda: replace(SETTING, q=1.01), "q is 1.01"),
        (lambda: replace(SETTING, z=-0.5), "z is -0.5; .* no guarantee"),
        (lambda: replace(SETTING, S=0.0), "S is 0.0; it must be above 0"),
        (lambda: replace(SETTING, S=float("nan")), "S is nan"),
        (lambda: replace(SETTING, z=1.0), "S is inf while z is 1.0"),
        (lambda: replace(SETTING, P=3), "P is 3; .* one of 1, 2, 4, 8"),
        (lambda: replace(SETTING, P=0), "P is 0"),
        (lambda: replace(SETTING, a=0.0), "a is 0.0"),
        (lambda: replace(SETTING, iterations=0), "iterations is 0"),
        (lambda: replace(SETTING, initial=0), "initial is 0"),
        (lambda: replace(SETTING, features=2.5), "features is 2.5"),
        (lambda: replace(SETTING, noise_variance=0.0), "noise_variance is 0.0"),
        (lambda: replace(SETTING, decay=-1.0), "decay is -1.0"),
        (lambda: replace(SETTING, sampling="some"), "sampling is 'some'"),
        (lambda: rounds(replace(SETTING, P=8)), r"P is 8; this domain can be cut into 1, 2, 4 equal .* 10 initial"),
        (lambda: rounds(replace(PRIVATE, P=16)), "P is 16; this domain can be cut into 1, 2, 4, 8 .* there are 12"),
        (lambda: rounds(replace(SETTING, initial=65)), "P is 1; this domain has too few points"),
        (lambda: sub_regions(SMALL.points, 6), "P is 6; this domain can be cut into 1, 2, 4, 8, 16, 32, 64"),
        (lambda: started(SMALL.objectives[:1]), r"N \(the number of agents\) is 1; .* at least 2"),
        (lambda: started(SMALL.objectives[:, :9]), "9 values for each agent; .* 64 points"),
        (lambda: started([[1.0, 2.0], [1.0]], [[0.0], [1.0]]), "agent 0 has 2 values and agent 1 has 1"),
        (lambda: started([[1.0, 2], [1, math.nan]], [[0.0], [1]]), "objectives holds nan in row 1, column 1"),
        (lambda: pb.federated.delta_for(1), "at least 2"),
        (lambda: pb.federated.synthetic(agents=1), "at least 2"),
        (lambda: pb.federated.synthetic(heterogeneity=1.5), "heterogeneity is 1.5"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
