"""Pictures for the far end of a classroom."""

from pages.parts.values.picture import Picture

HEIGHT = 560
LARGER = 1.6


def projected(picture: Picture) -> Picture:
    """Return a picture that is finished with all its writing larger."""
    layout = picture.layout
    for name, part in layout.items():
        if name.startswith(("xaxis", "yaxis")):
            part["title"] = {**part.get("title", {}), "font": {"size": _larger(13)}}
    layout["font"] = {**layout["font"], "size": _larger(layout["font"]["size"])}
    for one in layout["annotations"]:
        one["font"] = {**one.get("font", {}), "size": _larger(one.get("font", {}).get("size", 12))}
    return picture


def _larger(size: float) -> int:
    return round(LARGER * size)
