"""Write the Python script of a page, in one form for all pages."""

from privbo_core.about import made_with


def write_script(page: str, lines: str, real: str, imports: str = "") -> str:
    """Return a script that computes a page's numbers again with ``lines``, and shows the call for the ``real`` thing.

    ``lines`` use the engine as ``pb``, and what ``imports`` bring. The call is commented out, because a real release
    costs privacy and can't be repeated.
    """
    versions = ", ".join(f"{name} {number}" for name, number in made_with().items())
    commented = "\n".join(f"# {line}" for line in real.splitlines())
    return f'''"""Computes the {page} page of PrivBO again. Install PrivBO once: pip install path/to/PrivBO."""
# Made with {versions}.
{imports}import privbo_core as pb

{lines.strip()}

{commented}
'''
