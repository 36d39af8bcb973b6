"""The kit of the lesson about publishing a tuned model."""

import math

import numpy as np

from pages.parts.kits.kit import ROOM, Doubt, Exercise, Kit, Numbers, Stretch, step
from pages.parts.kits.said import number, percent
from privbo_core.privacy import Exponential, Laplace, worst_case_belief

SCORES = (0.90, 0.88, 0.80, 0.60)
"""Shares of right answers of four settings."""
PATIENTS = 100
EPSILON = 1.0


def draw() -> Numbers:
    """Return the chances of the four settings when one is drawn at ε = 1."""
    return tuple(map(float, Exponential(np.array(SCORES), 1 / PATIENTS, EPSILON).probabilities))


def noise_on_the_score() -> Numbers:
    """Return how far off a score is, 19 times in 20, with 100 patients and with 1,000."""
    return tuple(Laplace(1 / patients, EPSILON).half_width(0.95) for patients in (PATIENTS, 10 * PATIENTS))


def both_published() -> Numbers:
    """Return the ε of setting and score together, and how sure somebody can be who was half sure before."""
    together = 2 * EPSILON
    return together, worst_case_belief(0.5, together)


def worth_of_a_draw() -> Numbers:
    """Return what the drawn setting loses on average, and what a blind draw loses."""
    choice = Exponential(np.array(SCORES), 1 / PATIENTS, EPSILON)
    return choice.expected_loss, float(max(SCORES) - math.fsum(SCORES) / len(SCORES))


DECIDES = step("release", 1, "Who decides what is best")
DRAW = step("release", 2, "A draw in place of the best", epsilon="1")
BLIND = step("release", 3, "How well DP-BO aims", epsilon="1")
TRIES = step("release", 4, "More tries", epsilon="1")
SCORE = step("release", 5, "The score as well", epsilon="1")
OUTSIDE = step("release", 6, "Whom it leaves out")
CHOICE = step("release", 7, "What would you choose")

RELEASE = Kit(
    name="release",
    title="A team publishes its best setting",
    what="lesson",
    lead="A team tries many settings of a model on patients’ records and publishes the best one. That alone can tell "
    "something about one patient. A draw in which good settings are likelier hides it.",
    aims=(
        "Say why “the best of all settings” can hang on a single record.",
        "Explain a private draw: chances that grow with the score, and that one record hardly moves.",
        "Name who is not covered by the promise: those whom the model learned from.",
    ),
    needs=f"A projector and this app. {ROOM} A die and a few slips of paper make the draw visible.",
    short=(
        Stretch(4, "How many patients could change what is published, each just by staying away?", (DECIDES,)),
        Stretch(5, "Replace the best by a draw. Let the class draw slips first, then uncover.", (DRAW,)),
        Stretch(4, "A published way to draw does little better than blindly. Why might nobody have noticed?", (BLIND,)),
        Stretch(3, "The score is published too. How far off is it?", (SCORE,)),
        Stretch(4, "Which ε would you take, and whom does it leave out?", (CHOICE,)),
    ),
    long=(
        Stretch(5, "How many patients could change what is published, each just by staying away?", (DECIDES,)),
        Stretch(8, "Replace the best by a draw. Let the class draw slips first, then uncover. Exercise 1.", (DRAW,)),
        Stretch(6, "A published way to draw does little better than blindly. Why might nobody have noticed?", (BLIND,)),
        Stretch(5, "Is a longer list of settings better? Predict, then uncover.", (TRIES,)),
        Stretch(6, "The score is published too. How far off is it? Exercise 2.", (SCORE,)),
        Stretch(6, "Whom does the promise leave out, and what would it cost to cover them?", (OUTSIDE,)),
        Stretch(9, "Which ε would you take? One half of the class is the team, the other the patients.", (CHOICE,)),
    ),
    exercises=(
        Exercise(
            "Four settings have 90, 88, 80 and 60 right answers of 100 patients. One is drawn with chances in "
            "proportion to exp(ε · score/(2Δ)), Δ = 1/100, ε = 1. What are the four chances?",
            draw,
            lambda *chances: f"{', '.join(percent(chance) for chance in chances)}. One patient’s record changes "
            f"no chance by more than a factor of e = {number(math.e)}.",
        ),
        Exercise(
            "The score is published with Laplace noise of scale Δ/ε, ε = 1. How far off is it at most, 19 times in 20, "
            "with 100 patients (Δ = 1/100), and with 1,000?",
            noise_on_the_score,
            lambda few, many: f"By {number(100 * few)} points with 100 patients, and by {number(100 * many)} points with "
            "1,000. The crowd is what makes privacy cheap.",
        ),
        Exercise(
            "Setting and score are both published, each at ε = 1. Somebody was half sure that a certain patient is in "
            "the data. How sure can they be afterwards at most?",
            both_published,
            lambda together, sure: f"The two add up to ε = {number(together)}: at most {percent(sure)} sure.",
        ),
        Exercise(
            "What does the draw of exercise 1 lose on average, in right answers of 100, and what would a blind draw "
            "lose?",
            worth_of_a_draw,
            lambda own, blind: f"{number(100 * own)} right answers of 100; a blind draw {number(100 * blind)}.",
        ),
    ),
    doubts=(
        Doubt("Only the setting is published, not the data.", "The setting was picked because of the data. If one patient decides between two settings, publishing one of them tells of that patient."),
        Doubt("A draw is unscientific.", "So is a best setting that hangs on one record. The draw says how likely each setting is, and good ones are likely."),
        Doubt("The promise covers everybody in the table.", "It covers those on whose records settings were compared. Those whom the model learned from are not covered by it."),
        Doubt("More settings cost more privacy.", "Not by this draw: ε does not depend on how many settings there are."),
    ),
    last="The answer to “which is best?” was always a little private. Ask: which other answers that seem to be about nobody "
    "hang on single people? (A record time, a highest wage, a school’s best mark.)",
)  # fmt: skip
