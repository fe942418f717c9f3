"""The committed vectors are this model's."""

import unittest

import make_vectors


class VectorTests(unittest.TestCase):
    def test_committed_vectors(self):
        self.assertEqual(make_vectors.differing(make_vectors.vectors()), [])

    def test_cases_cover_what_matters(self):
        profiles, lengths, lanes, rates = (set(column) for column in zip(*make_vectors.CASES))
        self.assertEqual((len(profiles), lanes), (3, {0, 1, 2, 3}))
        for boundary in ({1, 4, 7}, {8}, {9}, {16}, {17, 31}, {32}):
            self.assertTrue(boundary & lengths)


if __name__ == "__main__":
    unittest.main()
