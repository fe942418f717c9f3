"""The channel does what it says, and the corpus holds what its sidecars say."""

import math
import unittest

import corpus
import dsss
import polar
import spectrum
import token_field
from channel import NOISE_BANDWIDTH_HZ, SAMPLE_RATE_HZ, Channel, Path, received
from corpus_cases import CASES, Recording
from errorless_decoder import Decoded, decode, decode_chips
from profiles import DSSS, DSSS_QUICK


def band_power(samples, low_hz, high_hz):
    """Mean square of what lies in the band."""
    powers = spectrum.power_spectrum(samples)
    mean_square = sum(s * s for s in samples) / len(samples)
    return mean_square * 10 ** (spectrum.share_decibels(powers, low_hz, high_hz, SAMPLE_RATE_HZ) / 10)


class ChannelTests(unittest.TestCase):
    def setUp(self):
        self.sound = dsss.waveform(bytes(range(8)), DSSS_QUICK)

    def test_delay_alone_keeps_the_frame(self):
        samples = received(self.sound, Channel(start_seconds=0.01), [0.0] * 23_000, 1)
        self.assertEqual(decode(samples[480:], SAMPLE_RATE_HZ, DSSS_QUICK), Decoded(bytes(range(8)), 0))

    def test_noise_in_the_band(self):
        """The ratio asked for, within 0.5 dB: the band's noise over 32768 samples has about 1000 degrees."""
        channel = Channel(snr_decibels=3)
        noise = received(None, channel, [0.0] * 32_768, 2)
        measured = 10 * math.log10(channel.level**2 / 2 / band_power(noise, 18_500, 20_000))
        self.assertAlmostEqual(measured, 3, delta=0.5)
        self.assertEqual(NOISE_BANDWIDTH_HZ, 1_500)

    def test_approaching_and_fast_clocks_raise_the_pitch(self):
        """Mean frequency, by the spectrum's centroid; 19.2 kHz moves by 56 Hz for each metre per second."""
        def centroid(channel):
            powers = spectrum.power_spectrum(received(self.sound, channel, [0.0] * 24_000, 3))
            hertz_per_bin = SAMPLE_RATE_HZ / (2 * len(powers))
            return sum(k * hertz_per_bin * p for k, p in enumerate(powers)) / sum(powers)
        still = centroid(Channel())
        self.assertAlmostEqual(centroid(Channel(speed_meters_per_second=2.0)) - still, 112, delta=2)
        self.assertAlmostEqual(centroid(Channel(clock_skew_ppm=1000)) - still, 19.2, delta=1)

    def test_echo_adds_its_power_later(self):
        direct = received(self.sound, Channel(start_seconds=0), [0.0] * 24_000, 4)
        both = received(
            self.sound, Channel(start_seconds=0, paths=(Path(0, 1), Path(0.01, 0.5))), [0.0] * 24_000, 4)
        for k in range(480, 24_000, 501):
            self.assertAlmostEqual(both[k], direct[k] + 0.5 * direct[k - 480], 9)

    def test_clipping_and_offset(self):
        samples = received(self.sound, Channel(level=0.25, offset=0.1, clip_at=0.2), [0.0] * 24_000, 5)
        self.assertAlmostEqual(min(samples), 0.1 - 0.25, 3)
        self.assertEqual(max(samples), 0.2)
        self.assertEqual(samples[0], 0.1)


class CorpusTests(unittest.TestCase):
    def frames(self, defect):
        return [case for case in CASES if isinstance(case, Recording) and case.defect == defect]

    def test_names_and_seeds_are_unique(self):
        self.assertEqual(len({case.name for case in CASES}), len(CASES))
        self.assertEqual(len({corpus.seed_of(case) for case in CASES}), len(CASES))

    def test_frames_to_be_heard_are_whole(self):
        for case in self.frames(None):
            self.assertEqual(
                decode_chips(corpus.chips_of(case), case.profile), Decoded(corpus.token_of(case), case.lane))

    def test_broken_frames_are_no_frames(self):
        for case in self.frames("crc") + self.frames("family"):
            self.assertIsNone(decode_chips(corpus.chips_of(case), case.profile))

    def test_foreign_mask_is_far_from_every_valid_check(self):
        """At least twice the code's least distance, 32 of 512, from both masks of the class."""
        info = token_field.info_bits(bytes(8))
        for mask in (token_field.EXACT_MASK[8], token_field.SHORT_MASK[8]):
            valid = info[:-24] + token_field.bits_of(mask, 24)
            difference = [a ^ b for a, b in zip(corpus.with_foreign_mask(info), valid)]
            self.assertGreaterEqual(sum(polar.encode(difference, 512)), 64)

    def test_truncated_frame(self):
        for case in self.frames("truncated"):
            self.assertEqual(corpus.chips_of(case), dsss.chips(corpus.token_of(case), DSSS)[:599])

    def test_sidecars(self):
        for case in CASES:
            sidecar = corpus.sidecar_of(case)
            heard = isinstance(case, Recording) and case.defect is None
            self.assertEqual(sidecar["expect"]["outcome"], "token" if heard else "nothing")
            self.assertEqual(sidecar["expect"]["startSeconds"] is not None, heard)


if __name__ == "__main__":
    unittest.main()
