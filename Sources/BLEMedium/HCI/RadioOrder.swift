import Nearby

/// What a radio is to do from now on, all of it.
package struct RadioOrder: Sendable, Hashable {
    package var advertising: Advertising?
    package var scan: Scan?
    /// What is looked for, where the system filters; elsewhere all that is heard is told. Empty: anything.
    package var patterns: [Pattern]

    package init(advertising: Advertising? = nil, scan: Scan? = nil, patterns: [Pattern] = []) {
        (self.advertising, self.scan, self.patterns) = (advertising, scan, patterns)
    }

    package static let idle = RadioOrder()
    package var isIdle: Bool { advertising == nil && scan == nil }

    /// The beginning of a field of an advertisement, or what comes after its first bytes.
    package struct Pattern: Sendable, Hashable {
        package var type: UInt8
        /// Bytes before it, after the type.
        package var offset: UInt8
        package var bytes: [UInt8]

        package init(type: UInt8, offset: UInt8 = 0, _ bytes: [UInt8]) {
            (self.type, self.offset, self.bytes) = (type, offset, bytes)
        }
    }

    package struct Advertising: Sendable, Hashable {
        /// Sent in turn.
        package var contents: [Content]
        /// Another one: other tokens, and so another address.
        package var epoch: UInt64
        /// In the form that holds more than 31 bytes, which older radios do not hear.
        package var isExtended: Bool

        package init(_ contents: [Content], epoch: UInt64, isExtended: Bool = false) {
            (self.contents, self.epoch, self.isExtended) = (contents, epoch, isExtended)
        }

        /// One advertisement's data, for each way it may go; nil where it has no room.
        package struct Content: Sendable, Hashable {
            /// Up to 31 bytes.
            package var plain: [UInt8]?
            /// Up to 28, without flags: the system adds its own.
            package var bare: [UInt8]?
            /// Up to 251.
            package var extended: [UInt8]?

            package init(plain: [UInt8]?, bare: [UInt8]? = nil, extended: [UInt8]? = nil) {
                (self.plain, self.bare, self.extended) = (plain, bare, extended)
            }
        }

        /// Whoever looks for a new token finds it soon; who has found it needs less.
        static let freshInterval = Duration.milliseconds(100)
        static let freshTime = Duration.seconds(30)
        static let interval = Duration.milliseconds(250)
        /// Each of ``contents``, when there are several.
        static let turn = Duration.seconds(1)
        /// Where the system or the controller can be told when to stop by itself, they stop then: so long at most is sent for a
        /// program that was killed, and its ``Watchdog`` too.
        static let longest = Duration.seconds(30)
        /// What goes on for longer is sent anew, from another address.
        static let renewal = Duration.seconds(20)
    }

    /// How much of the time a radio listens.
    package enum Scan: Sendable, Hashable {
        case foreground, background

        var window: Duration { self == .foreground ? .milliseconds(30) : .microseconds(112_500) }
        var interval: Duration { self == .foreground ? .milliseconds(60) : .milliseconds(1125) }

        /// Windows that are short and far between can miss a sender each time, for minutes, when one period is a multiple of the
        /// other; so they begin anew now and then, at a time drawn by chance. nil: they cannot.
        var restart: Duration? { self == .background ? interval * 4 : nil }
    }
}

/// What a host asks of its shell.
package enum HostAction: Sendable, Hashable {
    case send([UInt8])
    case heard(AdvertisingReport)
    /// What stands in the way of a direction, nil: nothing any more.
    case found(MediumCondition.Obstacle?, Role, String)
    /// The way to the radio is broken; open it anew.
    case reopen(String)
}

/// Makes a radio do what it is told: bytes and time come in, bytes and what was heard go out. A value.
package protocol LEHost: Sendable {
    mutating func carryOut(_ order: RadioOrder, now: Instant) -> [HostAction]
    /// What came: an event with H4's type byte, or one message of the kernel.
    mutating func received(_ bytes: [UInt8], now: Instant) -> [HostAction]
    mutating func advance(to now: Instant) -> [HostAction]
    /// When ``advance(to:)`` next has something to do.
    var nextDeadline: Instant? { get }
    /// Ends all that the radio does, however it stands with it.
    mutating func stop(now: Instant) -> [HostAction]
    var isStopped: Bool { get }
    /// What ends all that goes out, should nobody be there any more to be told what to do; none: nothing does.
    var farewell: [[UInt8]] { get }
}
