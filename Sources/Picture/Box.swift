/// A rectangle of pixels: `right` and `bottom` are the first that no longer belong to it.
package struct Box: Sendable, Hashable {
    package var left: Int
    package var top: Int
    package var right: Int
    package var bottom: Int

    package init(left: Int, top: Int, right: Int, bottom: Int) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    package var width: Int { right - left }
    package var height: Int { bottom - top }
}
