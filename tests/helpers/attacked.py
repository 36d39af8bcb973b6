"""The attacks of the Audit page, run without it."""

from pages.parts import systems
from pages.parts.audit.setup import TEXTBOOK
from pages.parts.live.sliders import Controls
from pages.parts.system.system import Aim
from privbo_core.data import synthetic
from privbo_core.outsourced import Simulation

AUDITED = {each.key: each for each in (*(a for system in systems.SYSTEMS for a in system.audited), TEXTBOOK)}
ATTACKS = [(mechanism.key, attack.key) for mechanism in AUDITED.values() for attack in mechanism.attacks]
FEW = {"pairs": 10.0, "records": 10.0}


def find(mechanism, attack):
    return next(each for each in AUDITED[mechanism].attacks if each.key == attack)


def few_trials(mechanism, attack):
    """Return how many trials are few: the dear ones take hundreds as they are."""
    usual = {slider.key: slider.value for slider in find(mechanism, attack).sliders}.get("trials")
    return {200: 60.0, 400: 100.0}.get(usual, 1000.0)


def aim_of(mechanism, attack, problem=None, **changes):
    values = {slider.key: float(slider.value) for slider in find(mechanism, attack).sliders}
    return Aim(Controls(values | changes), Simulation(problem or synthetic(side=20)))


def views(mechanism, attack, problem=None, **changes):
    return list(find(mechanism, attack).run(aim_of(mechanism, attack, problem, **changes)))


def quick_view(mechanism, attack, problem=None, **changes):
    few = {"trials": few_trials(mechanism, attack), **FEW} | changes
    keys = {slider.key for slider in find(mechanism, attack).sliders}
    aim = aim_of(mechanism, attack, problem, **{key: value for key, value in few.items() if key in keys})
    *_, view = find(mechanism, attack).run(aim)
    return view, aim
