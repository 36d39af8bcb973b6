"""What the Audit page says: plain words for each attack, the algebra behind it, and the finding stated soberly."""

from pages.parts.audit.attacks import Scene
from pages.parts.outsourced.details import neighbours
from pages.parts.show.look import scientific
from privbo_core.federated.settings import delta_for
from privbo_core.outsourced import guarantee, noisy_guarantee, omega
from privbo_core.privacy import Guarantee, Status, gaussian_epsilon, gaussian_sigma
from privbo_core.privacy import epsilon as privacy_loss

CHECK = """\
import numpy as np
rng = np.random.default_rng(); X = rng.normal(size=(1000, 3)); V = X.copy(); V[0] += 0.5  # neighbours: one row moved
Z = (X - X.mean(0)) @ rng.normal(size=(3, 10)) / 10**0.5                                  # the release of X
away = lambda C: np.linalg.norm(Z - C @ np.linalg.lstsq(C, Z)[0]) / np.linalg.norm(Z)     # how far Z lies outside col(C)
print(away(X - X.mean(0)), away(V - V.mean(0)))                                           # about 1e-15, about 1e-2
"""
"""Five lines that anyone can run; the tests run them too."""

LEADS = {
    "projection/tell": "Somebody wonders whether a certain record is the real one. They have the release and two candidate datasets "
    "that differ in that record alone. If the promise held, they could hardly do better than guess.",
    "projection/rebuild": "Somebody has the release and happens to know a few people in it: one more than there are columns. "
    "How much does that tell about everybody else?",
    "noisy/tell": "The same test, against a release with noise in it. Now the noise decides, not the record.",
    "noisy/rebuild": "The same few known records, against a release with noise in it. Knowing some people says nothing about "
    "the noise that the others got.",
    "noisy/sharpest": "Suppose the attacker knows every record but one, and of that one only two possibilities are left. No test "
    "can be sharper than this. It comes close to the claim, and must not pass it.",
    "choice/prior": "A team publishes a tuned setting λ̃, drawn at random so that nobody can tell whose record was used. The "
    "method assumes that validation scores are drawn from a Gaussian process: here are such draws, in pairs of neighbours.",
    "choice/task": "A real classifier is tuned with one patient’s record left out at a time. How much does that change what would "
    "be published?",
    "canary/all": "A canary is an agent made to be noticed: its vector is as long as clipping allows, always in one direction. Can "
    "somebody who sees all broadcasts tell whether it took part?",
    "canary/one": "A canary is an agent made to be noticed: its vector is as long as clipping allows, in one direction. Can "
    "somebody who sees a single broadcast tell whether it took part?",
    "textbook/laplace": "An audit that never finds anything is worth nothing. Laplace noise has a known ε: the audit should come "
    "close to it, and refute the claim as soon as there is 20 % too little noise. Drag the noise and see.",
    "textbook/gaussian": "An audit that never finds anything is worth nothing. Gaussian noise has a known ε: the audit should come "
    "close to it, and refute the claim as soon as there is 20 % too little noise. Drag the noise and see.",
}
"""Plain words for each attack."""


DATA = {
    "choice": "a classifier to be tuned, and neighbours of its scores",
    "canary": "none: the server’s dice alone",
    "textbook": "none: two numbers, 0 and 1",
}
"""What attacks that need no chosen data work on."""


def claim(which: str, scene: Scene) -> tuple[Guarantee, str]:
    """Return the claim that is being audited, and the secret that it is about ("that …")."""
    mechanism, attack = which.split("/")
    controls = scene.controls
    if mechanism == "projection":
        return guarantee(
            controls["epsilon"], controls["delta"], neighbours(scene.problem)
        ), "that a record is the real one"
    if mechanism == "noisy":
        return noisy_guarantee(
            controls["epsilon"], controls["delta"], neighbours(scene.problem)
        ), "that a record is the real one"
    if mechanism == "canary":
        agents, steps = controls.whole("N"), controls.whole("T") if attack == "all" else 1
        delta = delta_for(agents)
        loss, source = privacy_loss(controls["q"], controls["z"], steps, delta), "moments accountant"
        about = (
            "an agent’s participation",
            "that an agent took part",
            "Two runs that differ in whether one agent takes part.",
        )
    elif mechanism == "choice":
        loss, delta, source = controls["epsilon"], controls["delta"], "Kusner et al. (2015), Theorem 1"
        about = "a validation record", "that a record is the real one", "Two validation sets that differ in one record."
    else:
        loss, delta, source = controls["epsilon"], 1e-5 if attack == "gaussian" else 0.0, "the mechanism’s own proof"
        about = "a number", "that the number is 1", "The numbers 0 and 1."
    protects, secret, relation = about
    claimed = Guarantee(protects, "whoever sees what is released", relation, loss, delta, (), Status.CLAIMED, source)
    return claimed, secret


def explain(which: str, scene: Scene) -> tuple[str, str]:
    """Return the heading and the text of *Explain this*, with today's numbers."""
    mechanism, attack = which.split("/")
    controls = scene.controls
    if mechanism == "projection":
        problem = scene.problem
        threshold = omega(controls["epsilon"], controls["delta"], controls.whole("r"))
        if attack == "tell":
            return "the column space", (
                f"""The release is $Z = r^{{-1/2}}\\tilde X M$: every column of Z is a combination of the {problem.d} columns of the centred X.
So is every column of $\\tilde X = U\\sqrt{{\\Sigma^2+\\omega^2 I}}\\,V^\\top$ with today’s ω = {threshold:,.0f}, because U spans the same space: inflating
does not leave it. Moving one row gives $X' = X + (e_i - \\tfrac1n\\mathbf 1)v^\\top$. Its column space contains $Xm$ only if
$v^\\top m = 0$, which happens with probability 0 for a Gaussian m. So the test “does Z lie in col(X)?” answers yes under X and no under X′, always. An (ε, δ) promise
would need $1 \\le e^{{\\varepsilon}}\\cdot 0 + \\delta$: impossible for every ε and every δ < 1.

It needs n > d + 1 rows (here {problem.n:,} and {problem.d + 1}) in general position."""
            )
        return "solving for the map", (
            f"""Differences of records become differences of released rows, $(x_i - x_0)W = z_i - z_0$, with one unknown {problem.d}×{controls.whole("r")} matrix W, inflated or not.
{problem.d + 1} known records give {problem.d} such equations, enough to solve for W. If r ≥ d, W can be inverted from the right and every other record follows:
$x = x_0 + (z - z_0)W^{{+}}$. If r < d, each record is known along r directions and free along the other d − r.

ε does not appear: at ε = 0.01 the result is the same."""
        )
    if mechanism == "noisy":
        epsilon, delta = controls["epsilon"], controls["delta"]
        sigma = gaussian_sigma(epsilon, delta, 1.0)
        formula = (
            f"$Z = B(X) + N(0, \\sigma^2 I)$; B moves every value into public bounds (here ±25 around the public centre). A protected distance of Δ = 1 "
            f"and the smallest σ with $\\Phi(\\tfrac{{\\Delta}}{{2\\sigma}} - \\tfrac{{\\varepsilon\\sigma}}{{\\Delta}}) - e^\\varepsilon\\Phi(-\\tfrac{{\\Delta}}{{2\\sigma}} - "
            f"\\tfrac{{\\varepsilon\\sigma}}{{\\Delta}}) \\le \\delta$ give σ = {sigma:.4g} at ε = {epsilon:.3g}, δ = {scientific(delta)}. *Balle, Wang (ICML 2018), Theorem 8.*"
        )
        rest = {
            "tell": "Z fills all directions, so the column space of X is nothing special to it.",
            "rebuild": "Solving for the map now solves for the noise in the known rows, too. Every record has noise of its own, which no other record tells anything about. "
            "The attacker’s best guess is Z itself, wrong by about σ in each coordinate: (ε, δ)-private for moves of 1. Where a record roughly lies, in data that reach to 25, is meant to stay visible: that is what the modeler works with. A larger protected distance hides more.",
            "sharpest": "Along the line between the two records the release is $N(0,\\sigma^2)$ or $N(1,\\sigma^2)$; everything else is independent of which. The audit bounds "
            f"$\\mu = \\Delta/\\sigma = {1 / sigma:.3g}$ from below by $\\Phi^{{-1}}(1-\\mathrm{{FPR}}^+) - \\Phi^{{-1}}(\\mathrm{{FNR}}^+)$ and turns that into ε at δ. "
            "*Dong, Roth, Su (2022).*",
        }
        return "noise that is enough", f"{formula}\n\n{rest[attack]}"
    if mechanism == "choice":
        return "the exact ratio", (
            f"""λ̃ is drawn with $\\Pr[\\lambda] \\propto \\exp(\\varepsilon\\,\\mu_T(\\lambda)/2\\Delta)$, $\\Delta = 2\\sqrt{{\\beta_{{T+1}}}} + c$. After a search on V and one on V′ both
distributions are known, so a pair costs exactly $\\max_\\lambda |\\log \\Pr[\\lambda|V] - \\log \\Pr[\\lambda|V']|$: no trials, no confidence.

Δ allows the posterior mean to move by many standard deviations of f, so far more noise is drawn than these pairs ask for. The promise, ε = {controls["epsilon"]:.3g} outside a share
δ = {scientific(controls["delta"])} of draws, is about the assumed prior; pairs that we draw cannot prove it, and one real task is one dataset.
*Kusner, Gardner, Garnett, Weinberger (ICML 2015), Theorem 1 and Corollary 1.*"""
        )
    if mechanism == "canary":
        q, z, agents = controls["q"], controls["z"], controls.whole("N")
        return "the canary", (
            f"""One agent’s clipped share of the joint vector is at most $\\varphi_{{\\max}}S/q$ long: the sensitivity. In that unit, along the canary’s direction, a round shows
$s_t \\sim b_t + N(0, z^2)$ with z = {z:.3g}; $b_t = 1$ with probability q = {q:.3g} if the canary takes part, else 0. The best test is a threshold on
$\\sum_t \\log(1 - q + q\\,e^{{(s_t - 1/2)/z^2}})$. Weights are equal (φ_max everywhere), the worst case for the agent; δ = {scientific(delta_for(agents))}.

The bars compare it with two accounts of the same noise: moments (the paper’s) and privacy-loss distributions (tighter). *Dai, Low, Jaillet (NeurIPS 2021), Proposition 1.*"""
        )
    epsilon = controls["epsilon"]
    return "bounds from trials", (
        f"""A threshold test has false alarms (FPR) and misses (FNR). (ε, δ)-privacy forces $1 - \\delta - \\mathrm{{FPR}} \\le e^{{\\varepsilon}}\\,\\mathrm{{FNR}}$, so
$\\varepsilon \\ge \\log\\frac{{1-\\delta-\\mathrm{{FPR}}^+}}{{\\mathrm{{FNR}}^+}}$, where + marks the upper Clopper–Pearson limit, each at error 2.5 %. The threshold is chosen on a tenth of the trials
and judged on the rest. For Gaussian noise the two rates bound $\\mu = \\Delta/\\sigma$ instead, which is much sharper when δ is small.

Claimed now: ε = {epsilon:.3g}; with {100 * controls["noise"]:.0f} % of the noise that it asks for, the truth is {_truth(attack, epsilon, controls["noise"])}."""
    )


def _truth(attack: str, epsilon: float, share: float) -> str:
    if attack == "laplace":
        return f"ε = {epsilon / share:.3g}"
    return f"ε = {gaussian_epsilon(1e-5, share * gaussian_sigma(epsilon, 1e-5, 1.0), 1.0):.3g}"


FINDING = """
**What is shown.** The release of Algorithm 1 lies in the column space of its inputs, in both branches. Two datasets that differ in one record
have different column spaces. So a release can be told from its neighbour’s with certainty, at every ε: the privacy theorem (Theorem 1 of
*Kharkovskii, Dai, Low, ICML 2020*) does not hold as stated. Where r ≥ d, anyone who knows d + 1 records can compute all the others.

**Under which conditions.** There are more than d + 1 records, and they are in general position: not all in one plane, as real and random
data are not. Nothing is assumed about ε, δ, r or the branch.

**What is not said.** The results on *utility* are untouched: distances survive the projection as Theorem 2 says, and the search works as well as
reported. Projecting from the *left* (r×n times X), from which the proof borrows, is another mechanism and not affected.

**How to check it.** Five lines of NumPy, on any computer:
"""
"""The finding about the projection, for the page to show above `CHECK`."""

NEVER = "An audit can refute a claim. It can never prove one: “not refuted” means that this attack, with this many trials, found nothing."
