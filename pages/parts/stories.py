"""Pictures of who sees what."""

from base64 import b64encode

from pages.parts.look import Palette


def outsourced_picture(colours: Palette) -> str:
    """Return the HTML of a picture of curator and modeler and of what passes between them."""
    ink, private, met = colours.text, colours.private, colours.met

    def arrow(y: int, start: int, end: int, text: str, colour: str) -> str:
        tip = 8 if end > start else -8
        return (
            f'<path d="M{start} {y}H{end - tip}" stroke="{colour}" stroke-width="2.5"/>'
            f'<path d="M{end} {y}l{-tip * 1.4} -6v12z" fill="{colour}"/>'
            f'<text x="{(start + end) / 2}" y="{y - 9}" text-anchor="middle" fill="{ink}">{text}</text>'
        )

    def box(x: int, title: str, lines: tuple[str, ...], colour: str) -> str:
        rows = "".join(
            f'<text x="{x + 75}" y="{112 + 24 * i}" text-anchor="middle" fill="{ink}">{line}</text>'
            for i, line in enumerate(lines)
        )
        return (
            f'<rect x="{x}" y="40" width="150" height="180" rx="12" fill="none" stroke="{colour}" stroke-width="2.5"/>'
            f'<text x="{x + 75}" y="76" text-anchor="middle" font-weight="700" font-size="17" fill="{ink}">{title}</text>{rows}'
        )

    drawing = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 260" font-family="sans-serif" font-size="14">
{box(4, "Curator", ("keeps the records X", "runs the test", "draws the", "projection M"), colours.unmet)}
{box(446, "Modeler", ("sees Z, not X", "fits a model", "chooses whom", "to test next"), private)}
{arrow(92, 164, 436, "projected records Z, once", met)}
{arrow(146, 436, 164, "“test row 4711 next”", private)}
{arrow(200, 164, 436, "the outcome of row 4711", met)}
</svg>"""
    # As an image, since Streamlit removes drawings from the HTML that it is given.
    encoded = b64encode(drawing.encode()).decode()
    alt = (
        "The curator keeps the records X and can run the test. It sends the projection Z once. The modeler sees Z and "
        "outcomes only, and asks for rows by number."
    )
    return f'<img src="data:image/svg+xml;base64,{encoded}" alt="{alt}" style="width:100%">'
