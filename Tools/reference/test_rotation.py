"""What the judge of captures finds, and what it must not miss."""
import unittest

import rotation


def command(code, body, status=0):
    """A command and its answer."""
    code = code.to_bytes(2, "little")
    return [(0, False, b"\x01" + code + bytes([len(body)]) + body), (0, True, b"\x04\x0e\x04\x01" + code + bytes([status]))]


def field(number):
    frame = b"\xe0" + number.to_bytes(8, "big")
    return bytes([17 + len(frame), 0x21]) + rotation.SERVICE + frame


def old_data(number):
    data = field(number)
    return command(0x2008, bytes([len(data)]) + data.ljust(31, b"\0"))


def new_data(number, handle=1):
    data = field(number)
    return command(0x2037, bytes([handle, 3, 1, len(data)]) + data)


def address(number):
    return number.to_bytes(6, "little")


OLD_ON, OLD_OFF = command(0x200A, b"\1"), command(0x200A, b"\0")
NEW_ON, NEW_OFF = command(0x2039, b"\1\1\1\0\0\0"), command(0x2039, b"\0\1\1\0\0\0")


class RotationTests(unittest.TestCase):
    def wrong(self, packets, tokens):
        order = rotation.judge(packets)
        self.assertEqual(len(order.tokens), tokens)
        return len(order.wrong)

    def test_in_order(self):
        old = command(0x2005, address(1)) + old_data(1) + OLD_ON + OLD_OFF + command(0x2005, address(2)) + old_data(2) + OLD_ON
        self.assertEqual(self.wrong(old, 2), 0)
        new = command(0x2035, b"\1" + address(1)) + new_data(1) + NEW_ON + NEW_OFF
        new += command(0x2035, b"\1" + address(2)) + new_data(2) + NEW_ON
        self.assertEqual(self.wrong(new, 2), 0)

    def test_data_before_the_address(self):
        """As kernel 6.1 replaces an advertisement: new data go out from the old address for a moment."""
        old = command(0x2005, address(1)) + old_data(1) + OLD_ON + old_data(2) + OLD_OFF + command(0x2005, address(2)) + OLD_ON
        self.assertEqual(self.wrong(old, 2), 1)
        new = command(0x2035, b"\1" + address(1)) + new_data(1) + NEW_ON + new_data(2) + NEW_OFF
        self.assertEqual(self.wrong(new + command(0x2035, b"\1" + address(2)) + NEW_ON, 2), 1)

    def test_an_address_that_was_refused_is_none(self):
        refused = command(0x2005, address(2), status=0x0C)
        self.assertEqual(
            self.wrong(command(0x2005, address(1)) + old_data(1) + OLD_ON + OLD_OFF + refused + old_data(2) + OLD_ON, 2), 1)

    def test_data_while_it_is_off(self):
        off = command(0x2005, address(1)) + old_data(1) + OLD_ON + OLD_OFF + old_data(2) + command(0x2005, address(2)) + OLD_ON
        self.assertEqual(self.wrong(off, 2), 0)

    def test_one_that_ended_by_itself_is_off(self):
        ended = [(0, True, b"\x04\x3e\x06\x12\x3c\x01\0\0\0")]
        new = command(0x2035, b"\1" + address(1)) + new_data(1) + NEW_ON + ended + new_data(2)
        self.assertEqual(self.wrong(new + command(0x2035, b"\1" + address(2)) + NEW_ON, 2), 0)

    def test_the_public_address_is_wrong(self):
        parameters = command(0x2006, b"\xa0\0\xa0\0\3" + b"\0" + bytes(7) + b"\7\0")
        self.assertEqual(self.wrong(command(0x2005, address(1)) + parameters + old_data(1) + OLD_ON, 1), 1)

    def test_others_do_not_count(self):
        data = b"\x03\x03\xaa\xfe"
        other = command(0x2008, bytes([len(data)]) + data.ljust(31, b"\0"))
        self.assertEqual(self.wrong(command(0x2005, address(1)) + other + OLD_ON, 0), 0)


if __name__ == "__main__":
    unittest.main()
