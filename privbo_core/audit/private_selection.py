"""Private selection: the setting's probabilities are known exactly, and setting and score together are sampled."""

import numpy as np

from privbo_core.audit.lower_bound import Audited
from privbo_core.audit.selection import ChoiceLoss
from privbo_core.errors import Array, DataError, positive, whole
from privbo_core.privacy import simulate
from privbo_core.release import Selection


def selection_loss(here: Selection, there: Selection) -> ChoiceLoss:
    """Return what the published setting tells about V or V′ at most, exactly: no trials, no confidence. O(n).

    Raises DataError if the two plans do not choose among the same candidates.
    """
    _check(here, there)
    return ChoiceLoss.of(here.choice, there.choice, here.epsilon)


def selected(here: Selection, there: Selection) -> Audited:
    """Return the published setting and score as a mechanism of dataset 0 (``here``) or 1 (``there``), for 2ε.

    The output is the logarithm of the likelihood ratio of what is published, (λ̃, ṽ):
    log p′(λ̃) − log p(λ̃) + (|ṽ − f_V(λ̃)| − |ṽ − f_V′(λ̃)|)/b, with b the Laplace noise's scale: the best test there
    is. Simulated, with a seed. O(trials · n). Raises DataError for plans that differ in more than their scores.
    """
    _check(here, there)
    plans, scale = (here, there), here.value.scale
    ratio = there.choice.log_probabilities - here.choice.log_probabilities

    def publish(which: int, trials: int, rng: np.random.Generator) -> Array:
        plan = plans[which]
        rows = simulate.select(plan.choice, simulate.gumbel(trials, len(plan.scores), rng))
        noise = scale * simulate.laplace(trials, rng)
        value = plan.scores[rows] + noise
        nearer = np.abs(value - here.scores[rows]) - np.abs(value - there.scores[rows])
        return np.asarray(ratio[rows] + nearer / scale)

    return publish


def adversarial_scores(n: int, records: int, largest_loss: float = 1.0) -> tuple[Array, Array]:
    """Return f_V and f_V′ of ``n`` candidates whose setting is told apart as well as one record can.

    All records but one lose half of ``largest_loss`` with every candidate. That one loses everything with candidate 0
    and nothing with the others in V, and the other way round in V′, so candidate 0 moves up by the whole sensitivity
    largest_loss/m and the others down by it. The setting alone costs nearly all of ε once n is large; setting and
    score together are caught most easily with about ten candidates, where candidate 0 is not too rarely published.
    """
    n, m, largest = whole("n", n, least=2), whole("records (m)", records), positive("largest_loss", largest_loss)
    first = np.arange(n) == 0
    others = 0.5 * largest * (m - 1)
    return -(others + largest * first) / m, -(others + largest * ~first) / m


def _check(here: Selection, there: Selection) -> None:
    same = here.rows.shape == there.rows.shape and (here.rows == there.rows).all()
    if not same or here.value != there.value or type(here.choice) is not type(there.choice):
        raise DataError(
            "The two plans must choose among the same candidates, with the same m, largest loss and ε, in the same way."
        )
