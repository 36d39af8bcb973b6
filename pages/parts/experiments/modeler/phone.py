"""What a phone shows while its owner is the modeler."""

from pages.parts.experiments.modeler.words import epsilon_words, found, goal_of, outcome_text, spoken_of, ways
from pages.parts.thumbs.screen import Screen
from pages.parts.values.views import REFUTED_STAMP
from privbo_core.classroom.modeler import Asked, ModelerGame

MARGIN = 0.04
"""Room around the points, as a share of the map."""


def screen(game: ModelerGame, pupil: int) -> Screen:
    """Return what this pupil's phone shows now."""
    asked = game.asked(pupil)
    if asked.points is None:
        return Screen("modeler/wait", "tell", "You are the searcher", "Soon you get a map. Look at the screen.")
    if asked.phase == "over":
        return _over(game, asked)
    return _map(game, asked) if asked.key else _done(game, asked)


def _map(game: ModelerGame, asked: Asked) -> Screen:
    ground = game.legs[-1].ground
    one, goal, points = spoken_of(ground.source).one, goal_of(ground.source), asked.points
    assert points is not None
    last = f"The last one: {outcome_text(asked.tested[-1].outcome, ground.unit)}. " if asked.made else ""
    low, high = points.min(axis=0), points.max(axis=0)
    room = MARGIN * (high - low)
    (across, right), (up, above) = ways(game.legs[-1].map)
    return Screen(
        asked.key,
        "map",
        f"Test {asked.made + 1} of {asked.tests}: tap a {one}",
        f"{last}Find {goal.aim}. Coloured: already tested, yellow is {goal.better}, blue is {goal.worse}.{_stamp(game)}",
        {
            "points": [[float(f"{x:.6g}"), float(f"{y:.6g}")] for x, y in points],
            "tested": [[tested.row, round(tested.share, 3)] for tested in asked.tested],
            "range": [float(low[0] - room[0]), float(high[0] + room[0]), float(low[1] - room[1]), float(high[1] + room[1])],
            "label": f"Test this {one}",
            "axes": [f"{across} →" if right else f"← {across}", f"↑ {up}" if above else f"↓ {up}"],
        },
    )  # fmt: skip


def _done(game: ModelerGame, asked: Asked) -> Screen:
    ground = game.legs[-1].ground
    regret = asked.regrets[-1]
    lines = [f"Your best {spoken_of(ground.source).one} is {found(regret, ground)}."] if regret is not None else []
    return Screen(
        f"modeler/done/{len(game.legs)}",
        "tell",
        "All your tests are made",
        _stamp(game).strip(),
        {"big": _best(game, asked), "lines": [*lines, "Look at the screen: the others are still searching."]},
    )


def _over(game: ModelerGame, asked: Asked) -> Screen:
    ground = game.legs[-1].ground
    lines = [
        f"At ε = {epsilon_words(leg.map.epsilon)}: {found(regret, ground) if regret is not None else 'you made no test'}."
        for leg, regret in zip(game.legs, asked.regrets, strict=True)
    ]
    return Screen(
        "modeler/over",
        "tell",
        "Your search",
        f"How far your best one was from the best there is:{_stamp(game)}",
        {"lines": lines},
    )


def _stamp(game: ModelerGame) -> str:
    """Return what must be known of the paper’s map wherever it goes; nothing for the other."""
    return f"\n{REFUTED_STAMP}" if game.legs[-1].map.mechanism == "private" else ""


def _best(game: ModelerGame, asked: Asked) -> str:
    """Return the best outcome that somebody knows."""
    best = max(asked.tested, key=lambda tested: tested.share)
    return outcome_text(best.outcome, game.legs[-1].ground.unit)
