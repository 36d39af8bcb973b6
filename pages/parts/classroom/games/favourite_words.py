"""What “Our favourite” says, on the projector and on phones."""

import math

from pages.parts.views.content import prose
from pages.parts.views.text import epsilon_text
from privbo_core.classroom.crowd import HUE, HUES, LIGHTNESS, LIGHTNESSES, OWN, ROUNDS
from privbo_core.classroom.games.favourite import OWN_PATIENCE, PATIENCE, Course, Phase, Seen, Sure

SCALE = ("not at all", "not much", "so-so", "much", "very much")  # What a rating of 0, 1, … says.
HUE_NAMES = (
    *("red", "orange", "yellow", "lime green", "green", "sea green"),
    *("turquoise", "sky blue", "blue", "violet", "purple", "pink"),
)
"""One for two hues, the second of which is the purest: between blue and violet colours look violet."""
LIGHTNESS_NAMES = ("very dark", "dark", "", "light", "very light")
NEAR_HUES, NEAR_LIGHTNESSES = 3, 2  # Steps of the grid within which two colours are about the same.


def colour_name(row: int) -> str:
    hue = HUE_NAMES[(int(HUE[row]) + 1) * len(HUE_NAMES) // HUES % len(HUE_NAMES)]
    light = LIGHTNESS_NAMES[int(LIGHTNESS[row]) * len(LIGHTNESS_NAMES) // LIGHTNESSES]
    named = f"{light} {hue}".strip()
    return f"{'an' if named[0] in 'aeiou' else 'a'} {named}"


def about_the_same(one: int, other: int) -> bool:
    """Return whether two colours are neighbours on the grid, around the circle of hues."""
    hues = abs(int(HUE[one]) - int(HUE[other]))
    near = min(hues, HUES - hues) <= NEAR_HUES
    return near and abs(int(LIGHTNESS[one]) - int(LIGHTNESS[other])) <= NEAR_LIGHTNESSES


def near(course: Course) -> str:
    assert course.belief is not None
    share = sum(float(belief) for row, belief in enumerate(course.belief) if about_the_same(row, course.named[-1]))
    return f"{min(99, round(100 * share))} of 100"


def at_most(share: float) -> str:
    """Return the most that a share can be, as people count: 64 of 100, rounded up."""
    return f"{min(100, math.ceil(100 * share - 1e-6))} of 100"


def how_sure(share: float) -> str:
    """Return how sure somebody is: whole of 100, and never quite certain where they are not."""
    if share >= 1.0:
        return "certain"
    whole = round(100 * share)
    if whole >= 100:
        return "over 99 of 100"
    return f"{whole} of 100" if whole > 0 else "under 1 of 100"


# The projector.


def both_ways(seen: Seen) -> tuple[Course, Course] | None:
    """Return the last run and the last one of the other way, without noise first, if the same class was in both."""
    last = seen.course
    same = [course for course in _other_way(seen) if last is not None and course.same_class(last)]
    if last is None or not same:
        return None
    return (last, same[-1]) if last.z == 0 else (same[-1], last)


def _other_way(seen: Seen) -> list[Course]:
    """Return the runs that had noise if the last had none, and the other way round, if all of them are done."""
    last = seen.course
    if last is None or last.done < ROUNDS:
        return []
    return [course for course in seen.courses if course.done == ROUNDS and (course.z > 0) != (last.z > 0)]


def who(course: Course) -> str:
    """Return whose taste it is, simulated pupils counted apart; with a comma after it where it has one before."""
    if not course.crowd:
        return f"all {course.agents} of you"
    return f"{course.agents}, of them {course.people} of you," if course.people else f"{course.agents} simulated pupils"


def title(seen: Seen) -> str:
    course = seen.course
    if seen.phase is Phase.VOTE or course is None:
        if not seen.answered:
            return "Shall the server add noise before it tells everybody what the class likes?"
        if seen.answered == seen.awaited and seen.noise == seen.bare:
            return f"{seen.answered} of {seen.awaited} have voted: {_decided((seen.noise, seen.bare))}"
        return f"{seen.answered} of {seen.awaited} have voted: {seen.noise} with noise, {seen.bare} without"
    if seen.phase is Phase.OWN:
        drawn = course.votes is not None and course.votes[0] == course.votes[1]
        first = f"{_decided(course.votes)}. " if course.votes and drawn else ""
        return f"{first}First everybody rates {OWN} colours: {seen.answered} of {seen.awaited} have"
    if seen.phase is Phase.ROUNDS:
        return f"Round {course.done} of {ROUNDS}: {_liked(course)}"
    if pair := both_ways(seen):
        bare, private = pair
        if about_the_same(bare.named[-1], private.named[-1]):
            same = f"About the same colour with noise and without, for {who(course).removesuffix(',')}"
            return f"{same}; but without, it can be told that you took part"
        other = f"With noise it is another colour: it blurs what {who(course)} like."
        return f"{other} What was told without noise stays told"
    liked = _liked(course)
    liked = liked[0].upper() + liked[1:]
    if course.z == 0:
        return f"{liked}; but whoever knows the others can tell that you took part"
    alone = " by this run alone" if course.before else ""
    return f"{liked}; guessing whether you took part is right in at most {at_most(course.right)}{alone}"


def _decided(votes: tuple[int, int]) -> str:
    noise, bare = votes
    if noise == bare:
        return f"{noise} : {bare}, so with noise, to be safe" if noise else "Nobody has voted, so with noise"
    return f"{max(votes)} : {min(votes)} for {'noise' if noise > bare else 'no noise'}"


def _liked(course: Course) -> str:
    return f"{who(course)} seem to like {colour_name(course.named[-1])} best"


PICTURED = (
    "Larger: more likely the favourite. Ring: what the class is told. Line: how that changed from round to round."
)


def note(seen: Seen) -> str:
    course = seen.course
    if seen.phase is Phase.VOTE or course is None:
        return prose("class", "asking for colours")
    if seen.phase is Phase.OWN:
        voted = f"{_decided(course.votes)}. " if course.votes and course.votes[0] != course.votes[1] else ""
        return f"{voted}No rating is shown here, only what the server makes of all of them."
    if both_ways(seen) and seen.phase is Phase.END:
        return PICTURED
    if seen.phase is Phase.END and _other_way(seen):
        other = "without noise" if course.z else "with noise"
        return f"{PICTURED} The run {other} was another class’s: play it again to compare."
    crowd = f" {course.crowd} of {course.agents} are simulated, with tastes of their own." if course.crowd else ""
    return f"{PICTURED}{crowd}"


def alt(seen: Seen) -> str:
    course = seen.course
    if seen.phase is Phase.VOTE or course is None:
        return f"Votes: {seen.noise} with noise, {seen.bare} without."
    if seen.phase is Phase.END and (pair := both_ways(seen)):
        told = [(f"{'with' if one.z else 'without'} noise {who(course)}", colour_name(one.named[-1])) for one in pair]
        both = ", ".join(f"{whom} are told {colour}" for whom, colour in told)
        return f"Two grids of colours, from red to pink and from dark to light: {both}."
    grid = "A grid of colours, from red to pink and from dark to light"
    if not course.named:
        return f"{grid}."
    return f"{grid}; after {course.done} rounds {who(course)} are told {colour_name(course.named[-1])}."


def patience(seen: Seen) -> str:
    seconds = OWN_PATIENCE if seen.phase is Phase.OWN else PATIENCE
    return f"it goes on when all have answered, or after {seconds:.0f} seconds"


def loss(course: Course) -> tuple[str, str]:
    """Return ε of all that was broadcast in the room so far, and what it is about; δ as people count: 2 in 100."""
    now = course.total[-1] if course.total else course.before
    if math.isinf(now):
        return "∞", "no noise, no promise" if course.z == 0 else "nothing takes back what was broadcast without noise"
    if not course.done:
        return (epsilon_text(now), "of the runs before") if now else ("0", "nothing has been broadcast")
    rounds = f"after {course.done} {'round' if course.done == 1 else 'rounds'}"
    if course.before:
        rounds = f"of all runs together; this one alone {epsilon_text(course.epsilon[-1])}"
    of = 100
    while round(course.total_delta * of) < 1:
        of *= 10
    return epsilon_text(now), f"{rounds}, apart from a chance of about {round(course.total_delta * of)} in {of:,}"


def guessing(course: Course) -> tuple[str, str]:
    """Return how often anybody is right, at most, who guesses from all runs whether somebody took part."""
    if course.z == 0:
        return "can be told", f"by whoever knows the others{'' if course.done else ', once it is broadcast'}"
    alone = f"this run alone: {at_most(course.right)}"
    if course.total_right >= 1.0:
        return "can be told", f"by the run without noise; {alone}"
    after = f"right at most, after all {ROUNDS} rounds (blind guessing: 50)"
    return at_most(course.total_right), f"right at most, from all runs; {alone}" if course.before else after


# The phones.

WITH_NOTE = "The server adds random numbers to the sum, and tells everybody the result."
WITHOUT_NOTE = "The server tells everybody the sum as it is."
ROUND_TEXT = f"The class, or you, might like this one. {PATIENCE:.0f} seconds, then it goes on."
UNTIL = f"The rounds begin when all have rated or your teacher goes on, after {OWN_PATIENCE:.0f} seconds at the latest."
LATE = "You are in the next run."
LATE_TEXT = "How many take part is public and stays the same while a run lasts. Look at the screen in front until then."
OVER = "This run is over."
OVER_TEXT = "You were not in it: it had begun when you came. You are in the next one, if your teacher begins one."
END_TEXT = "You were. This is how sure of it somebody would be who knew everything that the others sent."
BARE = "Without noise nothing is promised."
BARE_IN = "One round in which you were drawn is enough."
BARE_OUT = "You were never drawn: they are all but certain that you stayed away."
ONLY_YOU = "Only you see this."
BEHIND = "For it the server looks behind its own noise, which a real one never does."


def end_lines(sure: Sure) -> list[str]:
    """Return what belongs beside the number: the promise's limit, what it means, and who sees it."""
    if sure.at_most >= 1.0:
        lines = [BARE, BARE_OUT if sure.sure < 0.5 else BARE_IN]
    else:
        surer = f"ε = {epsilon_text(sure.epsilon)} allows {at_most(sure.at_most)}, rare cases aside."
        meaning = "Above 50: they would rather say that you took part, without being certain."
        if abs(sure.sure - 0.5) <= 0.1:
            meaning = "About 50: hardly better than to toss a coin."
        elif sure.sure < 0.5:
            meaning = "Below 50: they would rather say that you stayed away, and be wrong."
        lines = [
            f"Over many pupils such guesses are right in at most {at_most(sure.right)}, as in front. Of one pupil "
            f"somebody can be surer: {surer}",
            meaning,
        ]
    if sure.runs > 1:
        lines.append(f"From all {sure.runs} runs that you were in: {how_sure(sure.all_sure)}.")
    lines.append(ONLY_YOU if sure.at_most >= 1.0 else f"{ONLY_YOU} {BEHIND}")
    return lines
