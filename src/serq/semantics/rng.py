"""The random streams of a run, and one draw function a law.

The generator is ChaCha with 12 rounds, seeded from 64 bits, the standard generator of the
Rust crate rand 0.9: a program gives the same draws here, in the native engine and in the
reference. A run has five streams, so that a draw more in the session moves no arrival.

Laws follow the contract (section 2, *Expressions*). A parameter that makes no sense (a
negative mean, NaN, infinity) gives what IEEE arithmetic gives and raises nothing: whoever
uses the value judges it. Logarithms are the platform's `log`, here and in the twin.

Depends on nothing of ours. Twin: `cpp/rng.hpp`, `cpp/rng.cpp`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from math import log, nan, sqrt
from operator import index
from typing import Final

_U32: Final = 0xFFFF_FFFF
_U64: Final = 0xFFFF_FFFF_FFFF_FFFF

# --- ChaCha12 ------------------------------------------------------------------------
#
# A block is a 4 x 4 matrix of 32-bit words, and a quarter round treats its four columns
# alike. So each row is one Python integer with a 64-bit lane a word: one operation works on
# the four words of a row, for several blocks at once. A lane's upper half takes the carry of
# an addition or the bits a shift pushes out, until the mask clears it. Lane (column, block)
# stands at position column * _BLOCKS + block, which makes a turn of every block's row a
# turn of the whole integer.

_BLOCKS: Final = 8
_LANES: Final = 4 * _BLOCKS
_CONSTANTS: Final = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
_ROW: Final = struct.Struct(f"<{_LANES}Q")


def _row(words: tuple[int, ...]) -> int:
    """The row that has these four words in every block."""
    return int.from_bytes(_ROW.pack(*(word for word in words for _ in range(_BLOCKS))), "little")


_MASK: Final = _row((_U32, _U32, _U32, _U32))


def _turn(row: int, columns: int) -> int:
    """Every block's row turned to the left by so many columns."""
    cut = 64 * _BLOCKS * columns
    return (row >> cut) | ((row & ((1 << cut) - 1)) << (64 * _LANES - cut))


def _quarter_round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """ChaCha's quarter round, on all columns of all blocks."""
    a = (a + b) & _MASK
    d ^= a
    d = ((d << 16) | (d >> 16)) & _MASK
    c = (c + d) & _MASK
    b ^= c
    b = ((b << 12) | (b >> 20)) & _MASK
    a = (a + b) & _MASK
    d ^= a
    d = ((d << 8) | (d >> 24)) & _MASK
    c = (c + d) & _MASK
    b ^= c
    b = ((b << 7) | (b >> 25)) & _MASK
    return a, b, c, d


def _blocks(constants: int, key: tuple[int, int], counter: int) -> list[int]:
    """The words of `_BLOCKS` blocks from block number `counter` on, in order."""
    numbers = range(counter, counter + _BLOCKS)
    low, high = (n & _U32 for n in numbers), ((n >> 32) & _U32 for n in numbers)
    counters = int.from_bytes(_ROW.pack(*low, *high, *[0] * (2 * _BLOCKS)), "little")
    a, b, c, d = constants, *key, counters
    for _ in range(6):
        a, b, c, d = _quarter_round(a, b, c, d)
        b, c, d = _turn(b, 1), _turn(c, 2), _turn(d, 3)
        a, b, c, d = _quarter_round(a, b, c, d)
        b, c, d = _turn(b, 3), _turn(c, 2), _turn(d, 1)
    sums = (a + constants, b + key[0], c + key[1], d + counters)
    rows = [(row & _MASK).to_bytes(8 * _LANES, "little") for row in sums]
    lanes = [word for row in rows for word in _ROW.unpack(row)]
    return [word for block in range(_BLOCKS) for word in lanes[block::_BLOCKS]]


def key_words(seed: int) -> tuple[int, ...]:
    """The eight words of the key that a 64-bit seed stands for."""
    words = []
    for _ in range(8):
        seed = (seed * 6364136223846793005 + 11634580027462260723) & _U64
        word = (((seed >> 18) ^ seed) >> 27) & _U32
        turn = seed >> 59
        words.append(((word >> turn) | (word << (32 - turn))) & _U32)
    return tuple(words)


class Rng:
    """The generator: `Rng(seed)` with a seed of 64 bits, larger or negative ones refused."""

    __slots__ = ("_constants", "_counter", "_key", "_words")

    def __init__(self, seed: int) -> None:
        seed = index(seed)
        if not 0 <= seed <= _U64:
            raise ValueError(f"a seed has 64 bits: {seed}")
        key = key_words(seed)
        self._constants = _row(_CONSTANTS)
        self._key = _row(key[:4]), _row(key[4:])
        self._counter = 0
        self._words: list[int] = []  # not yet used, the next one last

    def next_u32(self) -> int:
        """The next word."""
        if not self._words:
            self._words = _blocks(self._constants, self._key, self._counter)[::-1]
            self._counter += _BLOCKS
        return self._words.pop()

    def next_u64(self) -> int:
        """The next two words, the low one first."""
        low = self.next_u32()
        return (self.next_u32() << 32) | low

    def random_f64(self) -> float:
        """A float in [0, 1), a multiple of 2^-53."""
        return (self.next_u64() >> 11) * 2.0**-53

    def range_f64(self, low: float, high: float) -> float:
        """A float from `low` to `high`. Raises ValueError for an empty or unbounded range."""
        width = high - low
        if not 0.0 <= width < float("inf"):
            raise ValueError(f"not a bounded range: {low} to {high}")
        return (self.next_u64() >> 12) * 2.0**-52 * width + low

    def range_u32(self, low: int, high: int) -> int:
        """An integer of 32 bits from `low` to `high`, both included.

        Raises ValueError for an empty range or one outside 32 bits.
        """
        return self._range(low, high, 32, self.next_u32)

    def range_u64(self, low: int, high: int) -> int:
        """An integer of 64 bits from `low` to `high`, both included.

        Raises ValueError for an empty range or one outside 64 bits.
        """
        return self._range(low, high, 64, self.next_u64)

    @staticmethod
    def _range(low: int, high: int, bits: int, draw: Callable[[], int]) -> int:
        """Multiply and shift; a second draw settles the few products too close to call."""
        size = 1 << bits
        if not 0 <= low <= high < size:
            raise ValueError(f"not a range of {bits} bits: {low} to {high}")
        width = high - low + 1
        if width == size:
            return draw()
        result, fraction = divmod(draw() * width, size)
        if fraction > size - width and fraction + ((draw() * width) >> bits) >= size:
            result += 1
        return low + result


# --- streams -------------------------------------------------------------------------


class Streams:
    """The five streams of a run.

    `arrivals` gives the gaps between arrivals; `workload` what `init` and `turn` blocks draw;
    `session` what everything else in a program draws; `eviction` what eviction keys and
    spills draw; `trace` the recorded session that an arriving one replays.
    """

    __slots__ = ("arrivals", "eviction", "session", "trace", "workload")

    def __init__(self, seed: int) -> None:
        self.arrivals = Rng(seed)
        self.workload = Rng(seed ^ 0x9E3779B97F4A7C15)
        self.session = Rng(seed ^ 0x5851F42D4C957F2D)
        self.eviction = Rng(seed ^ 0x2545F4914F6CDD1D)
        self.trace = Rng(seed ^ 0x6A09E667F3BCC908)


# --- laws ----------------------------------------------------------------------------

MAX_ERLANG_PHASES: Final = 1_000_000


def draw_exp(rng: Rng, mean: float) -> float:
    """Exponential: `-mean ln(1 - u)`, where 1 - u is never 0."""
    return -mean * log(1.0 - rng.random_f64())


def draw_det(_rng: Rng, value: float) -> float:
    """The value itself; nothing is drawn."""
    return value


def draw_uniform(rng: Rng, low: float, high: float) -> float:
    """Uniform from `low` to `high`, which may be given the other way round."""
    return low + (high - low) * rng.random_f64()


def draw_erlang(rng: Rng, k: float, mean: float) -> float:
    """The sum of `k` exponentials with this mean altogether.

    `k` is cut to a whole number and is at least 1. With more than `MAX_ERLANG_PHASES` the
    answer is NaN and nothing is drawn: the sum would be no more random than its mean, and
    take for ever.
    """
    if k > MAX_ERLANG_PHASES:
        return nan
    phases = int(k) if k > 1.0 else 1
    phase_mean = mean / phases
    total = -0.0
    for _ in range(phases):
        total += draw_exp(rng, phase_mean)
    return total


def draw_h2(rng: Rng, mean: float, cv2: float) -> float:
    """Two exponentials with balanced means, of squared coefficient of variation `cv2` >= 1.

    One draw picks the exponential, a second one is its value.
    """
    cv2 = cv2 if cv2 > 1.0 else 1.0
    p = 0.5 * (1.0 + sqrt((cv2 - 1.0) / (cv2 + 1.0)))
    branch_mean = mean / (2.0 * p) if rng.random_f64() < p else mean / (2.0 * (1.0 - p))
    return draw_exp(rng, branch_mean)


def draw_bernoulli(rng: Rng, p: float) -> float:
    """1.0 with probability `p`, else 0.0."""
    return 1.0 if rng.random_f64() < p else 0.0


def draw_poisson_gap(rng: Rng, rate: float) -> float:
    """The gap before the next arrival of a Poisson process: `-ln(1 - u) / rate`.

    Divided by the rate rather than multiplied by its inverse, which can round otherwise. At
    rate 0 the next arrival is never.
    """
    gap = -log(1.0 - rng.random_f64())
    return gap / rate if rate != 0.0 else float("inf")


def draw_trace_pick(rng: Rng, sessions: int) -> int:
    """Which of so many recorded sessions an arriving one replays, from 0.

    Raises ValueError without any session.
    """
    return rng.range_u32(0, sessions - 1)


# The laws by the names of `serq.vocabulary.distributions`: `DRAWS["exp"](rng, mean)`.
DRAWS: Final[dict[str, Callable[..., float]]] = {
    "exp": draw_exp,
    "det": draw_det,
    "uniform": draw_uniform,
    "erlang": draw_erlang,
    "h2": draw_h2,
    "bernoulli": draw_bernoulli,
}
