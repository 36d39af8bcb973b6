"""Explanations as Markdown with named values, a section for each, in pages/content/explanations."""

from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "content" / "explanations"


@lru_cache(maxsize=32)
def _sections(page: str) -> dict[str, str]:
    text = (FOLDER / f"{page}.md").read_text("utf-8")
    parts = (part.partition("\n") for part in text.split("\n## ")[1:])
    return {name.strip(): body.strip() for name, _, body in parts}


def explanation(page: str, name: str, **values: str) -> str:
    """Return a section of a page's explanations, with each [[value]] filled in."""
    text = _sections(page)[name]
    for key, value in values.items():
        text = text.replace(f"[[{key}]]", value)
    return text
