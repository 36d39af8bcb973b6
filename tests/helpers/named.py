"""Files that are as they should be, but for what things are called in them."""

from dataclasses import replace

from tests.helpers.own_tables import FRAME, csv, small


class Named:
    """A file of each kind; ``said`` makes a name of each word."""

    def __init__(self, said, unit="<b>"):
        self.frame = replace(
            FRAME,
            columns=tuple(replace(c, name=said(c.name), unit=unit, known_from=said("law")) for c in FRAME.columns),
        )
        table = small().rename(columns=said).assign(**{said("place"): said("ward")})
        self.table = csv(table)
