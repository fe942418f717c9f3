"""The whole FSK chain: round trips, the air it takes, and that it is a function of time."""

import cmath
import math
import unittest

import fsk
import spectrum
from errorless_decoder import Decoded
from fsk_profiles import ALL, FSK, FSK_AUDIBLE, FSK_LONG, FSK_TELEPHONE, RAMP_SECONDS

RATE = spectrum.SAMPLE_RATE_HZ


class RoundTripTests(unittest.TestCase):
    def check(self, profile, length, lane, rate=RATE):
        with self.subTest(profile=profile.name, length=length, lane=lane, rate=rate):
            token = spectrum.example_token(profile, length)
            samples = fsk.waveform(token, profile, lane).samples(rate)
            self.assertEqual(fsk.decode(samples, rate, profile), Decoded(token, lane))

    def test_every_profile(self):
        for lane, profile in enumerate(ALL):
            self.check(profile, 8, lane)

    def test_other_classes(self):
        self.check(FSK_TELEPHONE, 9, 1)
        self.check(FSK_AUDIBLE, 32, 2)

    def test_other_rates(self):
        """At 8 kHz symbols begin between samples."""
        self.check(FSK, 8, 1, 44_100)
        self.check(FSK_TELEPHONE, 8, 2, 8000)

    def test_other_profile_is_refused(self):
        samples = fsk.waveform(bytes(8), FSK_LONG).samples(RATE)
        self.assertIsNone(fsk.decode(samples, RATE, FSK))


class AirTests(unittest.TestCase):
    """What a neighbour hears and an amplifier must carry."""

    def test_band_and_peaks(self):
        for profile in ALL:
            with self.subTest(profile=profile.name):
                samples = fsk.waveform(spectrum.example_token(profile), profile).samples(RATE)
                powers = spectrum.power_spectrum(samples)
                if profile in (FSK, FSK_LONG):
                    self.assertLess(spectrum.share_decibels(powers, 0, 18e3, RATE), -60)
                    self.assertLess(spectrum.share_decibels(powers, 0, 17e3, RATE), -90)
                in_band = spectrum.share_decibels(powers, *spectrum.band_hz(profile), RATE)
                self.assertGreater(in_band, 10 * math.log10(0.994))
                self.assertLess(spectrum.peak_to_average_decibels(samples), 3.1)
                self.assertLessEqual(max(abs(s) for s in samples), 1)

    def test_seconds_on_air(self):
        """Also where a frame's length is a whole number of samples, and floating point would add one."""
        for profile, length, count in (
                (FSK, 8, 71_680), (FSK, 16, 121_600), (FSK, 32, 217_280), (FSK_LONG, 8, 104_960)):
            sound = fsk.waveform(bytes(length), profile)
            self.assertEqual(sound.exact_duration * RATE, count)
        self.assertEqual(len(fsk.waveform(bytes(8), FSK_LONG).samples(RATE)), 104_960)

    def test_what_glides_cost(self):
        """A symbol's window against its tone: little energy is lost, and its phase is 0."""
        for profile, decibels in ((FSK, -0.02), (FSK_AUDIBLE, -0.2)):
            token, length = spectrum.example_token(profile, 16), profile.symbol_samples
            samples, first = fsk.waveform(token, profile).samples(RATE), round(RAMP_SECONDS * RATE)
            gains = []
            for j, tone in enumerate(fsk.tones(token, profile)):
                window = samples[first + j * length:first + (j + 1) * length]
                turns = [(profile.lowest_bin + tone) * i % length / length for i in range(length)]
                gains.append(2 / length * sum(
                    s * cmath.rect(1, -2 * math.pi * turn) for s, turn in zip(window, turns)))
            self.assertTrue(all(abs(gain.imag) < 0.03 for gain in gains))
            energy = sum(abs(gain) ** 2 for gain in gains) / len(gains)
            self.assertAlmostEqual(10 * math.log10(energy), decibels, delta=0.02)


class TimeTests(unittest.TestCase):
    def test_samples_are_the_function_of_time(self):
        sound = fsk.waveform(bytes(8), FSK)
        samples = sound.samples(44_100)
        for k in range(0, len(samples), 97):
            self.assertAlmostEqual(sound.value_at(k / 44_100), samples[k], 7)

    def test_nothing_outside(self):
        sound = fsk.waveform(bytes(8), FSK)
        for seconds in (-1e-3, -1.0, 0.0, sound.duration_seconds, 2.0):
            self.assertEqual(sound.value_at(seconds), 0)


if __name__ == "__main__":
    unittest.main()
