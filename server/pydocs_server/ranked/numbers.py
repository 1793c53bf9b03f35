"""The numbers of the ranking: one record of them, the ones in use, and the named others."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["PRESETS", "RANKING", "Ranking"]


class Ranking(NamedTuple):
    """The numbers of the ranking. Field weights are in the order of the postings' fields.

    A candidate's score is a mean of its BM25 score and its vector's cosine, each as a part of the
    best one's, weighed by `dense`; a cosine of `unrelated` counts as nothing. Factors multiply it.
    `topic` is a power of how likely its package speaks of the query's terms. Those from `taken` to
    `module` are for what others wrote: `taken` counts in proportion to how much of the query its
    signature says; `popular` and `documented` are powers of what leads to it and of its
    docstring's length; `vendored` is for
    copies of other distributions' code, as below `pip._vendor`; `deeper` is for each dot of its
    public name beyond the second.

    In a project's own code one looks for the place whatever its standing: there `path` and `owner`
    count in proportion to how much of its file's and its class's name the query says, and
    `file_evidence` is by how much those of the best file, all its candidates together, stand above
    those of a file with hardly any; at most 1. `same_own_file` multiplies once for each better hit
    of the same file. `exact_name` is the score from which the hits count down that bear the very
    name asked for.

    Something fits where the best cosine and `said_counts` times the most that a good hit says of a
    query's terms, weighed by their rarity, are `least_fit` together; without vectors, where it says
    `least_said_alone`. That is for a thousand entries: of ten times as many the best is better by
    chance, so `least_grows` more is asked; where a package is named, `least_named` less.
    """

    sentence_weights: tuple[float, ...] = (4.0, 1.5, 1.0, 4.0, 1.0, 0.5, 3.0)
    name_weights: tuple[float, ...] = (8.0, 3.0, 1.0, 1.0, 0.5, 0.5, 3.0)
    failure_weights: tuple[float, ...] = (2.0, 1.0, 0.5, 2.0, 2.0, 0.5, 2.0)
    dense: float = 0.6
    unrelated: float = 0.2
    exact_name: float = 1_000.0
    named_in_query: float = 1.8
    package_named: float = 2.5
    package_perhaps: float = 1.3
    topic: float = 0.02
    taken: float = 0.35
    popular: float = 0.12
    documented: float = 0.12
    private: float = 0.75
    vendored: float = 0.6
    deeper: float = 0.88
    module: float = 0.65
    test: float = 0.35
    deprecated: float = 0.9
    stub: float = 0.9
    decision: float = 0.7
    path: float = 0.5
    owner: float = 0.5
    file_evidence: float = 0.4
    same_own_file: float = 0.7
    said_counts: float = 0.5
    least_fit: float = 0.44
    least_said_alone: float = 0.22
    least_grows: float = 0.045
    least_named: float = 0.09
    candidates_per_result: int = 6
    least_candidates: int = 120


RANKING: Final = Ranking()
"""The numbers in use."""

PRESETS: Final[dict[str, Ranking]] = {
    "hybrid": RANKING,
    "lexical": RANKING._replace(dense=0.0),
    "dense": RANKING._replace(dense=1.0),
}
"""Rankings by name: with words and vectors, with one of them alone."""
