"""Where the pilot clusters of a segment stand, and their chips."""

from functools import cache

from profiles import Profile

#: The signs a lane gives the first, middle and last third of the clusters.
LANE_PATTERNS = ("+++", "++-", "+-+", "+--")


def signs(text: str) -> list[int]:
    """`+-` text -> +1 and -1."""
    return [{"+": 1, "-": -1}[character] for character in text]


@cache
def pilot_chips(profile: Profile, lane: int, segment: int) -> dict[int, int]:
    """Place in the segment -> chip, for every pilot chip."""
    pattern = signs(LANE_PATTERNS[(lane + segment) % len(LANE_PATTERNS)])
    group_size = len(profile.cluster_starts) // len(pattern)
    code = signs(profile.cluster_code)
    chips = {}
    for k, (start, sign) in enumerate(zip(profile.cluster_starts, signs(profile.cluster_signs))):
        for offset, chip in enumerate(code):
            chips[start + offset] = chip * sign * pattern[k // group_size]
    return chips


def insert_pilots(data: list[int], profile: Profile, lane: int, segment: int) -> list[int]:
    """Data chips [N] -> segment chips [n]: the data fills the places left, in order."""
    pilots = pilot_chips(profile, lane, segment)
    remaining = iter(data)
    return [pilots[i] if i in pilots else next(remaining) for i in range(profile.segment_chips)]


def data_of_segment(chips: list[int], profile: Profile) -> list[int]:
    """Segment chips [n] -> data chips [N]."""
    pilots = pilot_chips(profile, 0, 0)
    return [chip for i, chip in enumerate(chips) if i not in pilots]


def has_pilots(chips: list[int], profile: Profile, lane: int, segment: int) -> bool:
    """Whether all pilot chips of the segment are those of this lane."""
    return all(chips[i] == pilot for i, pilot in pilot_chips(profile, lane, segment).items())
