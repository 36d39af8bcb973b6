"""How much of a house one browser and one address may take, so that no visitor shuts out another.

A browser is whatever says that it is one: a program makes up as many as it likes. An address it cannot make up, but a
school's phones often share a single one, and the phones of a mobile carrier sometimes do. So what is counted by browser
spares a class from one of its own that errs; what is counted by address leaves something to everybody else, and still
is more than a school takes. Behind a proxy that does not say whom it speaks for, all visitors have one address.
"""

import hashlib
import secrets
from ipaddress import IPv6Address, ip_address

ROOMS, ROOMS_FROM_ONE = 20, 8
"""Rooms at a time, and those opened from one address: eight classes at once keep more than one process busy."""
SEATS, SEATS_FROM_ONE = 120, 60
"""Phones in a room, and those of one address: a class of sixty. Whoever takes as many leaves as many to a class."""
WRONG_FROM_BROWSER, WRONG_FROM_ONE, WRONG_IN_ALL = 10, 120, 600
"""Wrong codes a minute, before no code is taken for a while: of a browser, of an address, altogether.

Ten are more than a person mistypes; 120 are two of each phone of a class; 600 are five such addresses at once. Whoever
comes by the picture's link is not counted and not kept out. With all rooms open, somebody who tries for two hours
without a pause finds one with a chance of 0.16 %, or of K times that where K processes share the letters that a code
begins with.
"""
MINUTE = 60.0
LASTS = 2 * 3600.0  # Seconds after which a room ends.
AWAY, AWAY_FROM_NOBODY = 20 * 60.0, 60.0
"""Seconds without its teacher after which a room ends: one with somebody in it, and one that is empty."""

_salt = secrets.token_bytes(16)


def place(address: str) -> str:
    """Return by what an address is counted: a digest under a secret of this process, so that none is kept.

    Of IPv6 it is the network of 64 bits that counts: a single machine has all of its addresses.
    """
    try:
        found = ip_address(address)
        if isinstance(found, IPv6Address):
            address = str(found.ipv4_mapped or found.packed[:8].hex())
    except ValueError:
        pass
    return hashlib.sha256(_salt + address.encode("utf-8", "replace")).hexdigest()
