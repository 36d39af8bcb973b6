"""All kits for teachers, of lessons and of experiments, by name."""

from pages.parts.classroom.kits import EXPERIMENTS_KITS, kit_of
from pages.parts.lessons.choosing import lessons

SOURCES = {source.name: source for source in (*map(kit_of, lessons().values()), *EXPERIMENTS_KITS.values())}
