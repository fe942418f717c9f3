"""The offline vectors' building blocks against the RFCs, and opening what is sealed."""
import unittest

import offline


class OfflineTest(unittest.TestCase):
    def test_building_blocks(self):
        offline.check()

    def test_sealing_is_undone(self):
        keys, text = offline.keys(bytes(32), b"frame", 1), b"a fragment of 24 bytes !"
        sealed = offline.seal(keys, 8, b"ad", text)
        self.assertEqual(offline.chacha20(keys[32:], sealed[:8].ljust(12, b"\0"), 1, sealed[8:]), text)


if __name__ == "__main__":
    unittest.main()
