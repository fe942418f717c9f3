/// The wait before a device is tried again: a second, then twice as long each time, up to half a minute.
package struct Retry: Sendable {
    package private(set) var time = Duration.seconds(1)

    package init() {}

    package mutating func lengthen() { time = min(.seconds(30), time * 2) }
    package mutating func reset() { time = .seconds(1) }
}
