"""What the Release page recommends: which way to publish, beside DP-BO’s, at the same ε."""

import privbo_core as pb
from pages.parts.release.setup import set_up

VALUES = {"epsilon": 1.0, "delta": 1e-3, "k1": 0.99, "sigma": 0.1, "T": 50.0, "a": 3.0}


def test_permute_and_flip_is_what_private_selection_draws_by_and_never_loses_more():
    for name in pb.data.TASKS:
        task = pb.data.tuning_task(name)
        for epsilon in (0.1, 1.0, 10.0, 100.0):
            flip, exponential = (set_up(task, way, "icml", VALUES | {"epsilon": epsilon}) for way in (0, 4))
            assert (flip.plan.way, exponential.plan.way) == ("permute-and-flip", "exponential")
            assert flip.loss_of_choice() <= exponential.loss_of_choice() * (1 + 1e-9)
            assert flip.guarantee(2).epsilon == exponential.guarantee(2).epsilon
