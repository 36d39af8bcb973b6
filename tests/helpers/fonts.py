"""A machine with other fonts."""

import shutil
from pathlib import Path

INSTALLED = Path("/usr/share/fonts")


def single_font(folder: Path) -> dict[str, str]:
    """Return the variables of a machine that has one font only, if possible a monospaced one; none without fonts.

    The font is copied to ``folder``, where its settings and its cache are, too.
    """
    fonts = sorted(INSTALLED.rglob("*.ttf"), key=lambda path: ("Mono" not in path.name, path.name))
    if not fonts:
        return {}
    folder.mkdir(exist_ok=True)
    shutil.copy(fonts[0], folder)
    settings = folder / "fonts.conf"
    settings.write_text(
        f'<?xml version="1.0"?><fontconfig><dir>{folder}</dir><cachedir>{folder}/c</cachedir></fontconfig>'
    )
    return {"FONTCONFIG_FILE": str(settings)}
