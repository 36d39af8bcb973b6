"""What is claimed of a published setting or score, as the attacks on them take it."""

from pages.parts.system.attack import Scene
from privbo_core.privacy import Guarantee, Status


def real_record(scene: Scene, source: str, delta: float) -> tuple[Guarantee, str]:
    """Return a claim of DP-BO about one validation record at the slider's ε, and the secret that it is about."""
    claimed = Guarantee(
        protects="a validation record",
        against="whoever sees what is released",
        neighbours="Two validation sets that differ in one record.",
        epsilon=scene.controls["epsilon"],
        delta=delta,
        assumptions=(),
        status=Status.CLAIMED,
        source=f"Kusner et al. (2015), {source}",
    )
    return claimed, "that a record is the real one"
