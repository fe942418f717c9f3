"""Each stage of the FSK model alone: inverses and what the page says of its shapes."""

import math
import unittest
from pathlib import Path

import fsk
import sync_tones
import tail_biting
import token_field
from errorless_decoder import Decoded
from fsk_errorless_decoder import decode_tones
from fsk_profiles import ALL, FSK, GLIDE_SECONDS, LANE_COUNT, TONE_COUNT
from glides import Waveform, glide_turns
from scrambler import scrambler
from spectrum import example_token
from splitmix64 import SplitMix64

LENGTHS = (1, 7, 8, 9, 16, 17, 31, 32)


class TailBitingTests(unittest.TestCase):
    def bits(self, count, seed=5):
        generator = SplitMix64(seed)
        return [generator.next() >> 63 for _ in range(count)]

    def test_labels_from_a_state_differ(self):
        for bits_per_step in (2, 3):
            for state in (0, 1, 0xABC, 0xFFF):
                seen = range(state << bits_per_step, (state + 1) << bits_per_step)
                self.assertEqual(len({tail_biting.label(x, bits_per_step) for x in seen}), len(seen))

    def test_a_turned_message_has_turned_labels(self):
        """The code has no first step."""
        for bits_per_step in (2, 3):
            bits = self.bits(30 * bits_per_step)
            labels = tail_biting.encode(bits, bits_per_step)
            turned = tail_biting.encode(bits[bits_per_step:] + bits[:bits_per_step], bits_per_step)
            self.assertEqual(turned, labels[1:] + labels[:1])

    def test_inverse(self):
        for bits_per_step in (2, 3):
            bits = self.bits(40 * bits_per_step)
            labels = tail_biting.encode(bits, bits_per_step)
            self.assertEqual(tail_biting.decode_errorless(labels, bits_per_step), [bits])
            self.assertEqual(tail_biting.decode_errorless([labels[0] ^ 1] + labels[1:], bits_per_step), [])


class PageTests(unittest.TestCase):
    """The page has the model's numbers."""

    PAGE = (Path(__file__).resolve().parents[2] / "Sources/AcousticModem/FSK/README.md").read_text()

    def test_profiles(self):
        for profile in ALL:
            low, high = map(round, profile.band_hz)
            row = [
                f"`{profile.name}`", profile.scrambler_family, profile.symbol_samples, profile.sub_band_count,
                profile.lowest_bin, f"{low} – {high}", profile.bits_per_step, profile.sync_count,
                " / ".join(str(profile.data_count(capacity)) for capacity in token_field.CAPACITIES)]
            self.assertIn("| " + " | ".join(map(str, row)) + " |", self.PAGE)

    def test_masks(self):
        for bits_per_step, masks in tail_biting.MASKS.items():
            words = " ".join(f"0x{mask:04X}" for mask in masks)
            self.assertIn(f"| {bits_per_step} | {words} |", self.PAGE)


class LayoutTests(unittest.TestCase):
    def test_sync_places(self):
        self.assertEqual(sync_tones.sync_places(FSK, 8), [0, 11, 22, 33])
        self.assertEqual(sync_tones.sync_places(FSK, 16), [0, 11, 22, 33, 44, 55])
        for profile in ALL:
            short = sync_tones.sync_places(profile, 8)
            self.assertEqual(len(short), profile.sync_count)
            self.assertEqual((short[0], short[-1]), (0, profile.data_count(8) + profile.sync_count - 1))
            for capacity in (16, 32):
                self.assertEqual(sync_tones.sync_places(profile, capacity)[:len(short)], short)

    def test_one_sync_tone_from_each_part_of_the_band(self):
        for profile in ALL:
            orders = set()
            for lane in range(LANE_COUNT):
                tones = sync_tones.lane_tones(profile, lane)
                parts = [tone * profile.sync_count // TONE_COUNT for tone in tones]
                self.assertEqual(sorted(parts), list(range(profile.sync_count)))
                orders.add(tuple(parts))
            self.assertEqual(len(orders), LANE_COUNT)

    def test_scramblers_differ(self):
        kept = {
            tuple(scrambler(profile, capacity, lane)[:10])
            for profile in ALL for capacity in token_field.CAPACITIES for lane in range(LANE_COUNT)}
        self.assertEqual(len(kept), 4 * 3 * 4)


class ToneTests(unittest.TestCase):
    def test_round_trips(self):
        for profile in ALL:
            for length in LENGTHS:
                for lane in range(LANE_COUNT):
                    with self.subTest(profile=profile.name, length=length, lane=lane):
                        token = example_token(profile, length)
                        tones = fsk.tones(token, profile, lane)
                        bands = [tone // TONE_COUNT for tone in tones]
                        self.assertEqual(bands, [j % profile.sub_band_count for j in range(len(tones))])
                        kept = [tone % TONE_COUNT for tone in tones]
                        self.assertEqual(decode_tones(kept, profile), Decoded(token, lane))

    def test_any_changed_tone_is_refused(self):
        tones = fsk.tones(bytes(range(8)), FSK)
        for j in range(len(tones)):
            changed = list(tones)
            changed[j] ^= 1
            self.assertIsNone(decode_tones(changed, FSK))

    def test_zeros_are_checked(self):
        """A message that ends with a one is a codeword, and no token."""
        bits = fsk.info_bits(bytes(range(8)), FSK)
        self.assertEqual(bits[-2:], [0, 0])
        labels = tail_biting.encode(bits[:-1] + [1], 3)
        syncs = sync_tones.sync_tones(FSK, 0, 8)
        data = iter(label ^ word for label, word in zip(labels, scrambler(FSK, 8, 0)))
        self.assertIsNone(decode_tones([syncs[j] if j in syncs else next(data) for j in range(34)], FSK))

    def test_arguments_out_of_range(self):
        with self.assertRaisesRegex(ValueError, "a lane is 0 to 3"):
            fsk.tones(bytes(8), FSK, 4)
        with self.assertRaisesRegex(ValueError, "more than 39924 samples"):
            fsk.waveform(bytes(8), FSK).samples(32_000)


class GlideTests(unittest.TestCase):
    def test_frequency_is_a_sine_from_tone_to_tone(self):
        """The slope of the phase, by differences of 2 microseconds, against the page's frequency: 0.01 Hz."""
        sound, boundary = Waveform([10, 50], FSK), float(FSK.symbol_seconds)
        low, high = (802 + 10) / boundary, (802 + 50) / boundary
        for step in range(-60, 61):
            since = step / 48_000
            turned = sound.turns(boundary + since + 1e-6) - sound.turns(boundary + since - 1e-6)
            hertz = (turned - round(turned - 2e-6 * low)) / 2e-6
            sine = math.sin(math.pi * max(-0.5, min(0.5, since / GLIDE_SECONDS)))
            self.assertAlmostEqual(hertz, (low + high) / 2 + (high - low) / 2 * sine, 2)

    def test_nothing_is_added_at_its_ends(self):
        for since in (-GLIDE_SECONDS / 2, GLIDE_SECONDS / 2, 1.0):
            self.assertAlmostEqual(glide_turns(since, 1400), 0, 12)
        self.assertAlmostEqual(glide_turns(0, 1400), 1400 * GLIDE_SECONDS * (1 / 4 - 1 / (2 * math.pi)), 12)


if __name__ == "__main__":
    unittest.main()
