"""The whole chain: round trips, the air it takes, and that it is a function of time."""

import math
import unittest

import dsss
import spectrum
from errorless_decoder import Decoded
from profiles import ALL, DSSS, DSSS_FAR, DSSS_QUICK, DSSS_WIDE, LANE_COUNT

LENGTHS = (1, 4, 7, 8, 9, 16, 17, 31, 32)
RATE = spectrum.SAMPLE_RATE_HZ


class RoundTripTests(unittest.TestCase):
    def check(self, profile, rate, lengths=LENGTHS, lanes=range(LANE_COUNT)):
        for length in lengths:
            for lane in lanes:
                with self.subTest(profile=profile.name, length=length, lane=lane, rate=rate):
                    token = spectrum.example_token(profile, length)
                    samples = dsss.waveform(token, profile, lane).samples(rate)
                    self.assertEqual(dsss.decode(samples, rate, profile), Decoded(token, lane))

    def test_quick(self):
        self.check(DSSS_QUICK, 48_000)

    def check_a_lane_each(self, profile):
        """As the lanes differ in their chips alone, which test_quick tries with all lengths, each length has one."""
        for number, length in enumerate(LENGTHS):
            self.check(profile, 48_000, lengths=(length,), lanes=(number % LANE_COUNT,))

    def test_dsss(self):
        self.check_a_lane_each(DSSS)

    def test_far(self):
        self.check_a_lane_each(DSSS_FAR)

    def test_other_rates(self):
        for rate in (44_100, 96_000, 47_999):
            self.check(DSSS_QUICK, rate, lengths=(8,), lanes=(1,))

    def test_constant_tokens(self):
        for token in (bytes(8), b"\xff" * 16, bytes(1)):
            samples = dsss.waveform(token, DSSS_QUICK).samples(RATE)
            self.assertEqual(dsss.decode(samples, RATE, DSSS_QUICK), Decoded(token, 0))

    def test_other_profile_is_refused(self):
        samples = dsss.waveform(bytes(8), DSSS).samples(RATE)
        self.assertIsNone(dsss.decode(samples, RATE, DSSS_QUICK))

    def test_arguments_out_of_range(self):
        with self.assertRaisesRegex(ValueError, "a lane is 0 to 3"):
            dsss.chips(bytes(8), DSSS, 4)
        with self.assertRaisesRegex(ValueError, "at least 40000 samples"):
            dsss.waveform(bytes(8), DSSS).samples(32_000)


class ChipTests(unittest.TestCase):
    def test_ramps_alternate(self):
        for profile in ALL:
            chips, r = dsss.chips(bytes(8), profile), profile.ramp_chips
            self.assertEqual(chips[:r], [-1, 1] * (r // 2) + [-1] * (r % 2))
            self.assertEqual(chips[-r:], [1, -1] * (r // 2) + [1] * (r % 2))

    def test_chip_phases(self):
        """At (i + 1) T the phasor is about a_i j^i: within 35 degrees: neighbours are smoothed into it."""
        for profile in ALL:
            chips = dsss.chips(bytes(range(8)), profile)
            sound = dsss.waveform(bytes(range(8)), profile)
            for i, chip in enumerate(chips):
                angle = sound.phase_radians(i + 1, 0) - math.pi / 2 * i
                self.assertGreater(chip * math.cos(angle), math.cos(math.radians(35)))


class AirTests(unittest.TestCase):
    """What a neighbour hears and an amplifier must carry."""

    def test_band_and_peaks(self):
        for profile in ALL:
            for length in (8, 32):
                with self.subTest(profile=profile.name, length=length):
                    token = spectrum.example_token(profile, length)
                    samples = dsss.waveform(token, profile).samples(RATE)
                    powers = spectrum.power_spectrum(samples)
                    little, least = (14e3, 12e3) if profile is DSSS_WIDE else (18e3, 17e3)
                    self.assertLess(spectrum.share_decibels(powers, 0, little, RATE), -40)
                    self.assertLess(spectrum.share_decibels(powers, 0, least, RATE), -60)
                    self.assertLess(spectrum.peak_to_average_decibels(samples), 3.5)
                    self.assertLessEqual(max(abs(s) for s in samples), 1)

    def test_seconds_on_air(self):
        for profile, seconds in zip(ALL, (0.446_667, 1.25, 3.706_667, 0.512)):
            sound = dsss.waveform(bytes(8), profile)
            self.assertAlmostEqual(sound.duration_seconds, seconds, 6)
            self.assertEqual(len(sound.samples(RATE)), round(seconds * RATE))

    def test_spectrum_of_a_tone(self):
        """The measuring itself: a tone at 17.5 kHz, 40 dB under one at 19.2 kHz."""
        samples = [
            math.cos(2 * math.pi * 19_200 * k / RATE) + 0.01 * math.cos(2 * math.pi * 17_500 * k / RATE)
            for k in range(1 << 14)]
        hann = [s * (0.5 - 0.5 * math.cos(2 * math.pi * k / len(samples))) for k, s in enumerate(samples)]
        powers = spectrum.power_spectrum(hann)
        self.assertAlmostEqual(spectrum.share_decibels(powers, 0, 18e3, RATE), -40, 1)
        self.assertAlmostEqual(sum(powers) / (len(hann) / 2 * sum(s * s for s in hann)), 1, 3)


class TimeTests(unittest.TestCase):
    def test_samples_are_the_function_of_time(self):
        sound = dsss.waveform(bytes(8), DSSS)
        samples = sound.samples(44_100)
        for k in range(0, len(samples), 97):
            self.assertAlmostEqual(sound.value_at(k / 44_100), samples[k], 7)

    def test_nothing_outside(self):
        sound = dsss.waveform(bytes(8), DSSS_QUICK)
        for seconds in (-1e-3, -1.0, 0.0, sound.duration_seconds, 2.0):
            self.assertEqual(sound.value_at(seconds), 0)


if __name__ == "__main__":
    unittest.main()
