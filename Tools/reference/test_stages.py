"""Each stage alone: catalogue values, inverses and what the page says of its shapes."""

import math
import unittest

import gmsk
import pilots
import polar
import spreading
import token_field
from crc24 import crc24
from profiles import ALL, DSSS_QUICK, LANE_COUNT
from splitmix64 import SplitMix64


class CRC24Tests(unittest.TestCase):
    def test_catalogue_check_value(self):
        self.assertEqual(crc24(b"123456789"), 0xCDE703)


class SplitMix64Tests(unittest.TestCase):
    def test_known_outputs(self):
        generator = SplitMix64(1234567)
        self.assertEqual(
            [generator.next() for _ in range(5)],
            [6457827717110365317, 3203168211198807973, 9817491932198370423,
             4593380528125082431, 16408922859458223821])


class TokenFieldTests(unittest.TestCase):
    def test_inverse_for_every_length(self):
        for length in range(1, 33):
            token = bytes(range(100, 100 + length))
            info = token_field.info_bits(token)
            self.assertEqual(len(info), 8 * token_field.capacity_of(token) + 24)
            self.assertEqual(token_field.token_of(info), token)

    def test_short_field(self):
        field, mask = token_field.field_and_mask(b"abc")
        self.assertEqual((field, mask), (b"\x03abc\0\0\0\0", 0xA5965C))

    def test_any_changed_bit_fails(self):
        info = token_field.info_bits(bytes(range(9)))
        for i in range(len(info)):
            changed = list(info)
            changed[i] ^= 1
            self.assertIsNone(token_field.token_of(changed))

    def test_foreign_lengths_are_refused(self):
        for token in (b"", bytes(33)):
            with self.assertRaisesRegex(ValueError, "1 to 32 bytes"):
                token_field.capacity_of(token)

    def test_short_field_not_as_encoded_is_refused(self):
        for field in (b"\x00".ljust(8, b"\0"), b"\x08abcdefg", b"\x03abcd\0\0\0", b"\x07abcdefg".ljust(16, b"\0")):
            mask = token_field.SHORT_MASK[len(field)]
            info = token_field.bits_of(int.from_bytes(field, "big"), 8 * len(field))
            self.assertIsNone(token_field.token_of(info + token_field.bits_of(crc24(field) ^ mask, 24)))

    def test_masks_differ_in_many_places(self):
        for capacity in token_field.CAPACITIES:
            exact, short = token_field.EXACT_MASK[capacity], token_field.SHORT_MASK[capacity]
            self.assertGreaterEqual(bin(exact ^ short).count("1"), 16)


class PolarTests(unittest.TestCase):
    def test_transform_is_its_own_inverse(self):
        generator = SplitMix64(1)
        for length in (2, 8, 512, 1024):
            bits = [generator.next() >> 63 for _ in range(length)]
            self.assertEqual(polar.transform(polar.transform(bits)), bits)

    def test_transform_of_four(self):
        self.assertEqual(polar.transform([0, 0, 0, 1]), [1, 1, 1, 1])
        self.assertEqual(polar.transform([0, 1, 0, 0]), [1, 1, 0, 0])

    def test_no_two_weights_are_equal(self):
        weights = sorted(polar.weight(position) for position in range(1024))
        self.assertGreater(min(b - a for a, b in zip(weights, weights[1:])), 1e-3)

    def test_inverse(self):
        for length in (512, 1024):
            for capacity in token_field.CAPACITIES:
                info = token_field.info_bits(bytes(range(capacity)))
                self.assertEqual(polar.decode_errorless(polar.encode(info, length), len(info)), info)

    def test_no_codeword(self):
        codeword = polar.encode([1] * 88, 512)
        codeword[0] ^= 1
        self.assertIsNone(polar.decode_errorless(codeword, 88))


class SpreadingTests(unittest.TestCase):
    def test_inverse(self):
        generator = SplitMix64(2)
        coded = [generator.next() >> 63 for _ in range(512)]
        for capacity in token_field.CAPACITIES:
            for lane in range(LANE_COUNT):
                data = spreading.spread(coded, DSSS_QUICK, capacity, lane, 0)
                self.assertEqual(spreading.despread(data, DSSS_QUICK, capacity, lane, 0), coded)

    def test_permutation_holds_every_bit_once(self):
        permutation, scrambler = spreading.permutation_and_scrambler(3, 32, 3, 3, 1024)
        self.assertEqual(sorted(permutation), list(range(1024)))
        self.assertEqual(set(scrambler), {-1, 1})


class PilotTests(unittest.TestCase):
    def test_shapes_of_the_page(self):
        expected = {"dsss-quick": (638, 668), "dsss": (1474, 1498), "dsss-far": (1474, 4446),
                    "dsss-wide": (1474, 1534)}
        for profile in ALL:
            self.assertEqual((profile.segment_chips, profile.chip_count), expected[profile.name])
            self.assertEqual(len(profile.cluster_starts), len(profile.cluster_signs))
            self.assertEqual(
                len(pilots.pilot_chips(profile, 0, 0)), profile.segment_chips - profile.polar_length)

    def test_every_lane_is_told_apart(self):
        for profile in ALL:
            kept = {tuple(pilots.pilot_chips(profile, lane, 0).values()) for lane in range(LANE_COUNT)}
            self.assertEqual(len(kept), LANE_COUNT)

    def test_lane_pattern_moves_on_with_the_segment(self):
        for profile in ALL:
            self.assertEqual(pilots.pilot_chips(profile, 1, 2), pilots.pilot_chips(profile, 3, 0))

    def test_inverse(self):
        generator = SplitMix64(3)
        for profile in ALL:
            data = [1 - 2 * (generator.next() >> 63) for _ in range(profile.polar_length)]
            chips = pilots.insert_pilots(data, profile, 2, 0)
            self.assertEqual(pilots.data_of_segment(chips, profile), data)
            self.assertTrue(pilots.has_pilots(chips, profile, 2, 0))
            self.assertFalse(pilots.has_pilots(chips, profile, 1, 0))


class PhasePulseTests(unittest.TestCase):
    def test_symmetry_and_ends(self):
        for bt in (0.3, 0.5):
            self.assertAlmostEqual(gmsk.phase_pulse(0, bt), 0.5, 12)
            for u in (0.1, 0.5, 1, 2):
                self.assertAlmostEqual(gmsk.phase_pulse(u, bt) + gmsk.phase_pulse(-u, bt), 1, 12)
            self.assertLess(gmsk.phase_pulse(-2.5, bt), 1e-6)

    def test_against_the_integral(self):
        """q is the integral of the Gaussian-smoothed step of one chip; trapezoids of 1/500 chip, 1e-5."""
        sigma = math.sqrt(math.log(2)) / (2 * math.pi * 0.3)
        distribution = lambda x: 0.5 * (1 + math.erf(x / sigma / math.sqrt(2)))
        step, total = 1 / 500, 0.0
        for i in range(-3 * 500, 300):
            total += step * (distribution((i + 0.5) * step + 0.5) - distribution((i + 0.5) * step - 0.5))
        self.assertAlmostEqual(gmsk.phase_pulse(0.6, 0.3), total, 5)


if __name__ == "__main__":
    unittest.main()
