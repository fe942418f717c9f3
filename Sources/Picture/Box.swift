/// A rectangle of pixels: `right` and `bottom` are the first that no longer belong to it.
public struct Box: Sendable, Hashable {
    public var left: Int
    public var top: Int
    public var right: Int
    public var bottom: Int

    public init(left: Int, top: Int, right: Int, bottom: Int) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    public var width: Int { right - left }
    public var height: Int { bottom - top }
}
