"""The experiments, in the order in which a class plays them best."""

from pages.parts.experiments.kind import Kind

KINDS: tuple[Kind, ...] = ()


def kind_of(name: str) -> Kind | None:
    """Return the experiment of a name."""
    return next((kind for kind in KINDS if kind.name == name), None)
