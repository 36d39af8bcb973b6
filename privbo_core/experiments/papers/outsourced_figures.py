"""Fig. 2a–c of Kharkovskii, Dai, Low (ICML 2020), regret against evaluations at several ε, and Branin–Hoo."""

import math

from privbo_core.experiments.model import Claim, Experiment, Number
from privbo_core.experiments.papers.outsourced_tables import (
    DATA,
    GRID,
    NAMES,
    OPEN,
    PAPER,
    SHORT,
    STANDS_IN,
    WHY,
    beside,
    private,
)

PRINTED: dict[str, tuple[str, int, dict[float, float]]] = {
    "a": ("functions", 10, {1.1: 0.011, 0.9: 0.069, 0.0: 0.099}),
    "b": ("loans", 15, {2.9: 0.003, 2.0: 0.019, 1.0: 0.05}),
    "c": ("homes", 15, {2.8: 0.051, 1.0: 0.017, 0.5: 0.082}),
}
"""Of each part: the data, r, and by log ε the printed extra simple regret over the search without privacy."""

MORE = "more regret than without privacy"
CURVES = "The curves are printed without numbers; the extra regret at the last evaluation is in the text."


def figure(part: str) -> Experiment:
    """Return one of Fig. 2a–c."""
    data, r, printed = PRINTED[part]
    own = data == "functions"
    names = {log_epsilon: f"ε = e^{log_epsilon:g}" for log_epsilon in printed}
    largest, *smaller = printed
    arms = [*beside(data, curve=True)]
    arms += [private(data, r, epsilon=math.exp(each), curve=True, name=names[each]) for each in printed]
    if not own:
        arms.append(private(data, r, edge=r, curve=True, name="matched ε"))
    claims = [
        Claim(
            f"less ε costs regret: {names[each]} is worse than {names[largest]}",
            "below",
            (names[largest], names[each]),
        )
        for each in smaller
    ]
    claims.append(Claim(f"{names[largest]} is worse than no privacy", "below", ("non-private", names[largest])))
    if not own:
        claims += [
            Claim(
                f"{names[each]} is worse than the smallest ε that meets the condition",
                "below",
                ("matched ε", names[each]),
                counted=False,
            )
            for each in smaller
        ]
    remarks: tuple[str, ...] = ()
    if part == "c":
        remarks = ("In the paper itself ε = e^1 costs less (0.017) than ε = e^2.8 (0.051).",)
    return Experiment(
        name=f"outsourced-fig-2{part}",
        title=f"{SHORT}, Fig. 2{part}: {NAMES[data]}, r = {r}",
        paper=PAPER,
        about=f"Simple regret over {DATA[data]['iterations']} evaluations, with privacy at three ε and without.",
        arms=tuple(arms),
        numbers=tuple(
            Number(f"{names[each]}: extra regret", value, names[each], minus="non-private", group=MORE)
            for each, value in printed.items()
        ),
        claims=tuple(claims),
        runs=20 if own else 100,
        unit="functions, 50 runs on each" if own else "runs",
        per_print=1 if own else 50,
        piece=10 if own else 50,
        data="own" if own else "other",
        chosen=GRID if own else "",
        x_name="evaluations",
        stands_in=STANDS_IN[data],
        left_open=OPEN[data],
        why=WHY[data] + remarks,
        no_numbers=CURVES,
        curves=tuple(arm.name for arm in arms),
    )  # fmt: skip


def branin() -> Experiment:
    """Return the Branin–Hoo benchmark. The appendix that shows it is not in the text at hand: claims, no numbers."""
    r = 10
    names = ("smallest ε that meets the condition", "half that ε", "a tenth of that ε")
    arms = [
        *beside("branin", curve=True),
        private("branin", r, edge=r, curve=True, name=names[0]),
        private("branin", r, edge=r, share=0.5, curve=True, name=names[1]),
        private("branin", r, edge=r, share=0.1, curve=True, name=names[2]),
    ]
    return Experiment(
        name="branin",
        title=f"{SHORT}, Appendix A: Branin–Hoo, r = {r}",
        paper=PAPER,
        about="Simple regret over 50 evaluations on the Branin–Hoo function, with privacy at three ε and without.",
        arms=tuple(arms),
        claims=(
            Claim(f"less ε costs regret: {names[1]} is worse than {names[0]}", "below", (names[0], names[1])),
            Claim(f"less ε costs regret: {names[2]} is worse than {names[0]}", "below", (names[0], names[2])),
            Claim(f"{names[0]} is worse than no privacy", "below", ("non-private", names[0])),
        ),
        runs=100,
        piece=50,
        x_name="evaluations",
        stands_in=STANDS_IN["branin"],
        left_open=(
            "all settings of this experiment: the paper names it, and shows it in an appendix that is not part of the "
            "text followed here",
        ),
        why=(
            "The claims are those that the paper makes of all its experiments.",
            "Without privacy the search settles for one of the three near-equal maxima or beside it. A release that "
            "distorts distances makes it look further around, which helps on this function.",
        ),
        no_numbers="No numbers are at hand. What is tested is what the paper says of all its experiments.",
        curves=tuple(arm.name for arm in arms),
    )
