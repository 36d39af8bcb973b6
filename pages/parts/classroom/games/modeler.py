"""“Be the searcher”: what desk and phones show."""

from collections.abc import Callable

import streamlit as st

from pages.parts.classroom.games.game import Game, act
from pages.parts.classroom.games.modeler_pictures import (
    SOURCES,
    best_outcome,
    from_best,
    goal_of,
    outcome_text,
    show,
    spoken_of,
    ways,
)
from pages.parts.classroom.phone import Screen
from pages.parts.views.views import REFUTED_STAMP
from privbo_core.classroom import News, Room
from privbo_core.classroom.games.modeler import MOST_LEGS, ModelerGame, Turn
from privbo_core.classroom.ground import Ground, make_leg
from privbo_core.outsourced import Mechanism

EPSILONS = (30.0, 8.0, 3.0, 1.0, 0.3, 0.1)
RELEASES: dict[Mechanism, str] = {"noisy": "Noisy release", "private": "The paper’s projection"}
FIRST_EPSILON, NEXT_EPSILON, TESTS = 8.0, 0.3, 8
FEWEST, MOST = 2, 12
_SOURCE, _RELEASE, _EPSILON, _TESTS = (f"modeler/{name}" for name in ("source", "release", "epsilon", "tests"))


def desk(room: Room, game: ModelerGame) -> None:
    """Show what the teacher can do. It is always the same row, of which only a part can be used at a time."""
    playing, begun = game.phase == "playing", game.phase != "waiting"
    smaller = [epsilon for epsilon in EPSILONS if not begun or epsilon < game.legs[-1].map.epsilon]
    more = not begun or (playing and bool(smaller) and len(game.legs) < MOST_LEGS)
    with st.popover("What is searched", icon=":material/tune:", key="modeler/what", disabled=begun):
        st.selectbox("What is searched", SOURCES, key=_SOURCE, format_func=lambda name: goal_of(name).offer)
        st.selectbox("Released by", list(RELEASES), key=_RELEASE, format_func=lambda name: RELEASES[name])
        st.number_input("Tests each", FEWEST, MOST, TESTS, key=_TESTS)
    if more:  # afterwards there is no map to choose it for
        label, usual = ("ε of the next map", NEXT_EPSILON) if begun else ("ε of the map", FIRST_EPSILON)
        if st.session_state.get(_EPSILON) not in smaller:
            st.session_state[_EPSILON] = usual if usual in smaller else smaller[0]
        st.selectbox(label, smaller, key=_EPSILON, format_func=lambda value: f"{value:g}", width=180)
    st.button(
        "Blur the map" if begun else "Begin",
        type="secondary" if begun else "primary",
        key="modeler/map",
        icon=":material/blur_on:" if begun else ":material/play_arrow:",
        on_click=_blur if begun else _begin,
        args=(room,),
        disabled=not more,
        help="The same records, released again at this smaller ε." if begun else None,
    )
    if begun and not playing:
        st.button("Play again", key="modeler/end", icon=":material/replay:", on_click=_again, args=(room,))
    else:
        act(room, "End, and compare", ModelerGame.end, "flag", key="end", main=False, can=begun)


def _begin(room: Room) -> None:
    """Draw records and release their map. It is done while nobody waits for the room’s lock."""
    said = st.session_state
    ground = Ground.draw(said[_SOURCE])
    leg = make_leg(ground, said[_RELEASE], float(said[_EPSILON]), int(said[_TESTS]))
    _do(room, lambda game: game.begin(leg))


def _blur(room: Room) -> None:
    with room.look() as game:
        legs = game.legs if isinstance(game, ModelerGame) else ()
    if legs:
        last = legs[-1]
        leg = make_leg(last.ground, last.map.mechanism, float(st.session_state[_EPSILON]), last.tests)
        _do(room, lambda game: game.next(leg))


def _again(room: Room) -> None:
    with room.look() as game:
        if isinstance(game, ModelerGame):
            room.begin(room.kind, ModelerGame())


def _do(room: Room, act: Callable[[ModelerGame], News]) -> None:
    """Let the teacher act, unless something else is played by now: the page may be open twice."""
    room.act(lambda game: act(game) if isinstance(game, ModelerGame) else News.NOTHING)


def screen(game: ModelerGame, pupil: int) -> Screen:
    asked = game.question(pupil)
    if asked.points is None:
        return Screen("modeler/wait", "tell", "You are the searcher", "Soon you get a map. Look at the screen.")
    if asked.phase == "over":
        return _over(game, asked)
    return _map(game, asked) if asked.key else _done(game, asked)


def _map(game: ModelerGame, asked: Turn) -> Screen:
    ground = game.legs[-1].ground
    one, goal, points = spoken_of(ground.source).one, goal_of(ground.source), asked.points
    assert points is not None
    last = f"The last one: {outcome_text(asked.tested[-1].outcome, ground.unit)}. " if asked.made else ""
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.04 * (high - low)  # around the points, as a share of the map
    (across, right), (up, above) = ways(game.legs[-1].map)
    return Screen(
        asked.key,
        "map",
        f"Test {asked.made + 1} of {asked.tests}: tap a {one}",
        f"{last}Find {goal.aim}. Coloured: already tested, yellow is {goal.better}, blue is "
        f"{goal.worse}.{_stamp(game)}",
        {
            "points": [[float(f"{x:.6g}"), float(f"{y:.6g}")] for x, y in points],
            "tested": [[tested.row, round(tested.share, 3)] for tested in asked.tested],
            "range": [float(each) for at in (0, 1) for each in (low[at] - room[at], high[at] + room[at])],
            "label": f"Test this {one}",
            "axes": [f"{across} →" if right else f"← {across}", f"↑ {up}" if above else f"↓ {up}"],
        },
    )


def _done(game: ModelerGame, asked: Turn) -> Screen:
    ground, regret = game.legs[-1].ground, asked.regrets[-1]
    best = max(asked.tested, key=lambda tested: tested.share)
    lines = [f"Your best {spoken_of(ground.source).one} is {from_best(regret, ground)}."] if regret is not None else []
    data = {"big": outcome_text(best.outcome, ground.unit), "lines": [*lines, "Look at the screen in front."]}
    return Screen(f"modeler/done/{len(game.legs)}", "tell", "All your tests are made", _stamp(game).strip(), data)


def _over(game: ModelerGame, asked: Turn) -> Screen:
    ground = game.legs[-1].ground
    ends = [from_best(regret, ground) if regret is not None else "you made no test" for regret in asked.regrets]
    lines = [f"At ε = {leg.map.epsilon:g}: {end}." for leg, end in zip(game.legs, ends, strict=True)]
    best = f"The {goal_of(ground.source).best} of all is {best_outcome(ground)}."
    text = f"{best} How far your best one was from it:{_stamp(game)}"
    return Screen("modeler/over", "tell", "Your search", text, {"lines": lines})


def _stamp(game: ModelerGame) -> str:
    """Return what must be known of the paper’s map wherever it goes; nothing for the other."""
    return f"\n{REFUTED_STAMP}" if game.legs[-1].map.mechanism == "private" else ""


ASKED = "You see a blurred map and may test eight of its points. Do you find the best one before the machine does?"
MODELER = Game("modeler", "Be the searcher", ":material/travel_explore:", ASKED, ModelerGame, desk, screen, show)
