"""The kits of all lessons, by name."""

from pages.parts.lessons.choosing import lessons
from pages.parts.lessons.kits import kit_of

SOURCES = {source.name: source for source in map(kit_of, lessons().values())}
