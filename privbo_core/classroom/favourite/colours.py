"""288 colours: 24 hues times 12 lightnesses."""

import colorsys
import math

import numpy as np

from privbo_core.errors import Array

HUES, LIGHTNESSES = 24, 12
COUNT = HUES * LIGHTNESSES
SATURATION = 0.72
DARKEST, LIGHTEST = 0.18, 0.9
HUE = np.repeat(np.arange(HUES), LIGHTNESSES)
LIGHTNESS = np.tile(np.arange(LIGHTNESSES), HUES)
"""The hue and the lightness of each row, as numbers of their steps."""


def points() -> Array:
    """Return where the colours lie for the model, 288×3: hues on a circle, lightness from 0 to 1.

    The circle is 1 around, so that half of it is about as far as from dark to the middle, and the last hue is beside
    the first.
    """
    angle, radius = 2.0 * math.pi * HUE / HUES, 1.0 / (2.0 * math.pi)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), LIGHTNESS / (LIGHTNESSES - 1)])


def code(row: int) -> str:
    """Return the colour of a row as screens write it."""
    lightness = DARKEST + (LIGHTEST - DARKEST) * float(LIGHTNESS[row]) / (LIGHTNESSES - 1)
    parts = colorsys.hls_to_rgb(float(HUE[row]) / HUES, lightness, SATURATION)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


CODES = tuple(code(row) for row in range(COUNT))
"""All of them."""
