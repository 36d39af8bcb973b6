"""The systems, in the order in which people meet them. Whatever goes through all systems goes through this tuple."""

from pages.parts.federated.system import FEDERATED
from pages.parts.outsourced.system import OUTSOURCED
from pages.parts.release.system import RELEASE
from pages.parts.system.system import System

SYSTEMS: tuple[System, ...] = (OUTSOURCED, RELEASE, FEDERATED)
