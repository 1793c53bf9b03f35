"""The numbers of the ranking: one record of them, the ones in use, and the named others."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["PRESETS", "RANKING", "Ranking"]


class Ranking(NamedTuple):
    """The numbers of the ranking. Field weights are in the order of the postings' fields.

    A candidate's score is a mean of its BM25 score and its vector's cosine, each as a part of the
    best one's, weighed by `dense`; a cosine of `unrelated` counts as nothing. Factors multiply it:
    `deeper` once for each dot of its public name beyond the second, `said` in proportion to how
    much of the query its name and summary say, `popular` for each doubling of what leads to it,
    `unlisted` where no shorter name is offered for it.

    In a project's own code, `own_standing` is the power of what is said of public standing, `path`
    and `owner` count in proportion to how much of its file's and its class's name the query says,
    and `file_evidence` is by how much those of the best file, all its candidates together, stand
    above those of a file with hardly any; at most 1.
    `same_file` (there `same_own_file`) multiplies once for each better hit of the same file.
    `exact_name` is the score from which the hits count down that bear the very name asked for.
    """

    sentence_weights: tuple[float, ...] = (4.0, 1.5, 1.0, 4.0, 1.0, 0.5, 3.0)
    name_weights: tuple[float, ...] = (8.0, 3.0, 1.0, 1.0, 0.5, 0.5, 3.0)
    failure_weights: tuple[float, ...] = (2.0, 1.0, 0.5, 2.0, 2.0, 0.5, 2.0)
    dense: float = 0.6
    unrelated: float = 0.25
    exact_name: float = 1_000.0
    named_in_query: float = 1.8
    package_named: float = 3.0
    package_perhaps: float = 1.3
    said: float = 0.6
    popular: float = 0.04
    private: float = 0.7
    unlisted: float = 0.95
    deeper: float = 0.9
    undocumented: float = 0.8
    test: float = 0.5
    deprecated: float = 0.9
    stub: float = 0.9
    module: float = 0.8
    decision: float = 0.7
    own_standing: float = 0.0
    path: float = 0.5
    owner: float = 0.5
    file_evidence: float = 0.4
    same_file: float = 0.95
    same_own_file: float = 0.7
    candidates_per_result: int = 6
    least_candidates: int = 80


RANKING: Final = Ranking()
"""The numbers in use."""

PRESETS: Final[dict[str, Ranking]] = {
    "hybrid": RANKING,
    "lexical": RANKING._replace(dense=0.0),
    "dense": RANKING._replace(dense=1.0),
}
"""Rankings by name: with words and vectors, with one of them alone."""
