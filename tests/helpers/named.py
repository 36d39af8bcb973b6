"""A table that is as it should be, but for what things are called in it."""

from tests.helpers.own_tables import csv, small


class Named:
    """``said`` makes a name of each word."""

    def __init__(self, said):
        self.table = csv(small().rename(columns=said).assign(**{said("place"): said("ward")}))
