"""What a benchmark allows: one that takes more ends with status 1, and says what did."""

_exceeded: list[str] = []


def allow(name: str, seconds: float, most: float) -> None:
    """Remember what took longer than it may."""
    if seconds > most:
        _exceeded.append(f"{name} took {1e3 * seconds:,.1f} ms; {1e3 * most:,.0f} ms are allowed.")


def ended() -> int:
    """Print what took longer than it may; return the exit status."""
    for line in _exceeded:
        print(f"TOO SLOW: {line}")
    return 1 if _exceeded else 0
