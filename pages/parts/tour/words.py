"""How the lessons write numbers."""

from pages.parts.values.numbers import epsilon_text


def epsilon(value: float) -> str:
    """Return ε as it stands in a sentence: no zeros that say nothing, no power of ten."""
    return f"{value:.3g}" if value < 1000 else epsilon_text(value)


def of_100(share: float) -> str:
    """Return so many of 100, without saying all where it is not."""
    return "more than 99" if 99.5 <= share < 100 else f"{share:.0f}"


def points(amount: str) -> str:
    """Return an amount of points as somebody asks for it: 1 point, not 1.0 points."""
    whole = amount.replace(".0 points", " points")
    return "1 point" if whole == "1 points" else whole
