"""The reader of captures, on a file made by hand, and on broken ones."""
import unittest

import btsnoop

HEADER = b"btsnoop\0" + bytes.fromhex("00000001" "000003ea")
# Reset, on 1 January 2000.
RESET = bytes.fromhex("00000004" "00000004" "00000002" "00000000" "00e03ab44a676000") + bytes.fromhex("01030c00")


class BtsnoopTest(unittest.TestCase):
    def test_a_packet(self):
        (moment, is_received, packet), = btsnoop.read(HEADER + RESET)
        self.assertEqual((moment.isoformat(), is_received), ("2000-01-01T00:00:00+00:00", False))
        self.assertEqual(packet.hex(), "01030c00")

    def test_what_is_broken(self):
        broken = [b"", HEADER[:12] + b"\0\0\x07\xd1", HEADER + RESET[:-1], HEADER + RESET[:20], HEADER + RESET[:-1] + b"\1"]
        for data in broken + [HEADER + RESET[:11] + b"\3" + RESET[12:], HEADER + RESET[:11] + b"\0" + RESET[12:]]:
            with self.assertRaises((ValueError, btsnoop.struct.error)):
                btsnoop.read(data)


if __name__ == "__main__":
    unittest.main()
