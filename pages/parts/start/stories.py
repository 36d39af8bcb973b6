"""Pictures of who sees what."""

from base64 import b64encode

from pages.parts.show.look import Palette


def outsourced_picture(colours: Palette) -> str:
    """Return the HTML of a picture of curator and modeler and of what passes between them."""
    left = ("Curator", ("keeps the records X", "runs the test", "draws the", "projection M"), colours.unmet)
    right = ("Modeler", ("sees Z, not X", "fits a model", "chooses whom", "to test next"), colours.private)
    arrows = (
        _arrow(92, 164, 436, "projected records Z, once", colours.met, colours),
        _arrow(146, 436, 164, "“test row 4711 next”", colours.private, colours),
        _arrow(200, 164, 436, "the outcome of row 4711", colours.met, colours),
    )
    return _picture(
        left,
        right,
        arrows,
        colours,
        "The curator keeps the records X and can run the test. It sends the projection Z once. The modeler sees Z and "
        "outcomes only, and asks for rows by number.",
    )


def release_picture(colours: Palette) -> str:
    """Return the HTML of a picture of a team that publishes a tuned model and of those who read it."""
    left = ("Team", ("keeps records V", "tunes on them", "alone, knows", "what is best"), colours.unmet)
    right = ("Everybody", ("sees one setting", "and one score,", "both with noise,", "not V"), colours.private)
    arrows = (
        _arrow(110, 164, 436, "a setting λ̃, drawn at random", colours.met, colours),
        _arrow(176, 164, 436, "the best score, plus noise", colours.met, colours),
    )
    return _picture(
        left,
        right,
        arrows,
        colours,
        "The team keeps the validation records V and tunes on them alone. Everybody sees one setting and one score, both released with noise.",
    )


def federated_picture(colours: Palette) -> str:
    """Return the HTML of a picture of agents and server and of what passes between them."""
    ink, private, met, unmet = colours.text, colours.private, colours.met, colours.unmet

    def agent(y: int, name: str, drawn: bool) -> str:
        dash = "" if drawn else ' stroke-dasharray="5 5"'
        sent = (
            f'<path d="M136 {y + 24}H352" stroke="{met}" stroke-width="2.5"/><path d="M364 {y + 24}l-12 -6v12z" fill="{met}"/>'
            if drawn
            else ""
        )
        return (
            f'<rect x="4" y="{y}" width="132" height="48" rx="10" fill="none" stroke="{unmet}" stroke-width="2.5"{dash}/>'
            f'<text x="70" y="{y + 21}" text-anchor="middle" font-weight="700" fill="{ink}">{name}</text>'
            f'<text x="70" y="{y + 39}" text-anchor="middle" font-size="12" fill="{ink}">own trials stay here</text>{sent}'
        )

    drawing = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 260" font-family="sans-serif" font-size="14">
{agent(16, "School A", True)}
{agent(84, "School B", False)}
{agent(152, "School C", True)}
<text x="248" y="30" text-anchor="middle" fill="{ink}">a sampled, clipped guess</text>
<text x="248" y="103" text-anchor="middle" fill="{ink}" font-style="italic">not drawn this round</text>
<rect x="368" y="16" width="228" height="184" rx="12" fill="none" stroke="{private}" stroke-width="2.5"/>
<text x="482" y="52" text-anchor="middle" font-weight="700" font-size="17" fill="{ink}">Server</text>
<text x="482" y="86" text-anchor="middle" fill="{ink}">trusted: sees each guess</text>
<text x="482" y="112" text-anchor="middle" fill="{ink}">draws some at random,</text>
<text x="482" y="136" text-anchor="middle" fill="{ink}">adds them up,</text>
<text x="482" y="160" text-anchor="middle" fill="{ink}">adds noise</text>
<path d="M482 200V236H82" stroke="{private}" stroke-width="2.5" fill="none"/>
<path d="M70 236l12 -6v12z" fill="{private}"/>
<text x="276" y="228" text-anchor="middle" fill="{ink}">the noisy sum, to everyone</text>
</svg>"""
    alt = (
        "Schools keep their own trials. In each round some of them, drawn at random, send a clipped guess to a trusted "
        "server. It adds the guesses up, adds noise, and sends the noisy sum to everyone."
    )
    return _image(drawing, alt)


def _arrow(y: int, start: int, end: int, text: str, colour: str, colours: Palette) -> str:
    tip = 8 if end > start else -8
    return (
        f'<path d="M{start} {y}H{end - tip}" stroke="{colour}" stroke-width="2.5"/>'
        f'<path d="M{end} {y}l{-tip * 1.4} -6v12z" fill="{colour}"/>'
        f'<text x="{(start + end) / 2}" y="{y - 9}" text-anchor="middle" fill="{colours.text}">{text}</text>'
    )


def _box(x: int, title: str, lines: tuple[str, ...], colour: str, ink: str) -> str:
    rows = "".join(
        f'<text x="{x + 75}" y="{112 + 24 * i}" text-anchor="middle" fill="{ink}">{line}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f'<rect x="{x}" y="40" width="150" height="180" rx="12" fill="none" stroke="{colour}" stroke-width="2.5"/>'
        f'<text x="{x + 75}" y="76" text-anchor="middle" font-weight="700" font-size="17" fill="{ink}">{title}</text>{rows}'
    )


def _picture(
    left: tuple[str, tuple[str, ...], str], right: tuple[str, tuple[str, ...], str], arrows: tuple[str, ...],
    colours: Palette, alt: str,
) -> str:  # fmt: skip
    drawing = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 260" font-family="sans-serif" font-size="14">
{_box(4, *left, colours.text)}
{_box(446, *right, colours.text)}
{"".join(arrows)}
</svg>"""
    return _image(drawing, alt)


def _image(drawing: str, alt: str) -> str:
    # As an image, since Streamlit removes drawings from the HTML that it is given.
    encoded = b64encode(drawing.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{encoded}" alt="{alt}" style="width:100%">'
