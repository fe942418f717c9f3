"""The committed vectors are this model's."""

import unittest

import dsss_vectors
import fsk_profiles
import fsk_vectors
import make_vectors


class VectorTests(unittest.TestCase):
    def test_committed_vectors(self):
        self.assertEqual(make_vectors.differing(make_vectors.vectors()), [])

    def test_cases_cover_what_matters(self):
        for family, profile_count in ((dsss_vectors, 4), (fsk_vectors, 4)):
            profiles, lengths, lanes, rates = (set(column) for column in zip(*family.CASES))
            self.assertEqual((len(profiles), lanes), (profile_count, {0, 1, 2, 3}))
            for boundary in ({1, 4, 7}, {8}, {9}, {16}, {17, 31}, {32}):
                self.assertTrue(boundary & lengths)
            self.assertGreaterEqual(len(rates), 3)

    def test_fsk_cases_cover_every_class_of_every_profile(self):
        for profile in fsk_profiles.ALL:
            cases = [case for case in fsk_vectors.CASES if case[0] == profile]
            self.assertEqual({length for _, length, _, _ in cases}, {1, 8, 9, 16, 17, 32})
            self.assertEqual({lane for _, _, lane, _ in cases}, {0, 1, 2, 3})


if __name__ == "__main__":
    unittest.main()
