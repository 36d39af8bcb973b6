"""PO-GP-UCB: private outsourced Bayesian optimisation (Kharkovskii, Dai, Low, ICML 2020).

What the paper's theorem asks of a table, and its release, to be looked at and not to be published:

>>> import numpy as np
>>> import privbo_core as pb
>>> points = pb.data.sample("synthetic").points
>>> print(round(pb.outsourced.omega(epsilon=3.0, delta=1e-5, r=10)))
977
>>> release = pb.outsourced.curate(points, 3.0, 1e-5, 10, np.random.default_rng(0))
>>> print(release.Z.shape, round(release.sigma_min), release.amplified)
(10000, 10) 1031 False
>>> print(round(pb.outsourced.smallest_epsilon(release.sigma_min, delta=1e-5, r=10), 2))
2.84
>>> print(pb.outsourced.largest_r(release.sigma_min, epsilon=3.0, delta=1e-5))
10
>>> noisy = pb.outsourced.noisy_release(points, 3.0, 1e-5, bounds=(-25, 25), rng=np.random.default_rng(0))
>>> print(round(noisy.sigma, 2))
1.39

A real release of a table, with noise from the operating system, which cannot be repeated:

>>> import pandas as pd
>>> people = pd.DataFrame({"age": [34, 51, 47, 29, 60, 42], "score": [3.1, 4.0, 3.7, 2.9, 4.4, 3.3]})
>>> age = pb.data.FrameColumn("age", "years", low=18, high=100, hide=5, known_from="Adults take part.")
>>> frame = pb.data.Frame((age,))
>>> print(pb.outsourced.publish(people, frame, epsilon=1.0, delta=1e-6).Z.shape)
(6, 1)

The same between two parties, with a ledger. They exchange a package, questions and answers, and nothing else:

>>> curator = pb.outsourced.Curator(people, pb.outsourced.MemoryStore())
>>> package = curator.release_whole(frame, 1.0, 1e-6, outcome=pb.outsourced.Outcome("score", ""))
>>> modeler = pb.outsourced.Modeler(package)
>>> for _ in range(3):
...     (asked,) = modeler.ask()
...     modeler.tell(asked.row, curator.answer(asked.row).value)
>>> print(len(modeler.outcomes), curator.ledger.cost().inputs)
3 1.0
"""

from privbo_core.bo import Difference, Search
from privbo_core.outsourced.answers import Private
from privbo_core.outsourced.beliefs import Belief, belief
from privbo_core.outsourced.comparison import Baseline, Comparison, Measure, Mechanism, Needed, Policy, Typical
from privbo_core.outsourced.follow import Move, following, hardest_move, true_epsilon
from privbo_core.outsourced.noisy import (
    SEEN,
    NoisyRelease,
    expected_kernel,
    larger_differences,
    noise_aware,
    noise_deviation,
    noisy_guarantee,
    noisy_release,
    publish,
    publish_noisy,
)
from privbo_core.outsourced.parties.curator import AgainError, Answer, Curator, Lookup, Step
from privbo_core.outsourced.parties.exchange import (
    answers_csv,
    read_answers,
    read_outcomes,
    read_questions,
    write_questions,
)
from privbo_core.outsourced.parties.ledger import Answered, Cost, Ledger, Released
from privbo_core.outsourced.parties.modeler import Advice, Modeler, Suggestion
from privbo_core.outsourced.parties.package import Package, read_package
from privbo_core.outsourced.parties.stores import FileStore, MemoryStore, Store
from privbo_core.outsourced.parties.terms import Outcome, ReleaseTerms, answers_guarantee
from privbo_core.outsourced.projection import (
    Distortion,
    Extent,
    RegretBound,
    Release,
    Spectrum,
    curate,
    distance_constant,
    distance_distortion,
    dominance_margin,
    guarantee,
    larger_distances,
    largest_r,
    omega,
    projection_dimension,
    projection_tolerance,
    regret_bound,
    smallest_epsilon,
    spectrum,
)
from privbo_core.outsourced.setting import Setting
from privbo_core.outsourced.simulation import Searcher, SimulatedCurator, Simulation, outsource

__all__ = ["SEEN", "Advice", "AgainError", "Answer", "Answered", "Baseline", "Belief", "Comparison", "Cost", "Curator"]
__all__ += ["Difference", "Distortion", "Extent", "FileStore", "Ledger", "Lookup", "Measure", "Mechanism"]
__all__ += ["MemoryStore", "Modeler", "Move", "Needed", "NoisyRelease", "Outcome", "Package", "Policy", "Private"]
__all__ += ["RegretBound", "Release", "ReleaseTerms", "Released", "Search", "Searcher", "Setting", "SimulatedCurator"]
__all__ += ["Simulation", "Spectrum", "Step", "Store", "Suggestion", "Typical"]
__all__ += ["answers_csv", "answers_guarantee", "belief", "curate", "distance_constant", "distance_distortion"]
__all__ += ["dominance_margin", "expected_kernel", "following", "guarantee", "hardest_move", "larger_differences"]
__all__ += ["larger_distances", "largest_r", "noise_aware", "noise_deviation", "noisy_guarantee", "noisy_release"]
__all__ += ["omega", "outsource", "projection_dimension", "projection_tolerance", "publish", "publish_noisy"]
__all__ += ["read_answers", "read_outcomes", "read_package", "read_questions", "regret_bound", "smallest_epsilon"]
__all__ += ["spectrum", "true_epsilon", "write_questions"]
