import Nearby

/// Everything that a radio is to do from now on.
package struct RadioOrder: Sendable, Hashable {
    package var advertising: Advertising?
    package var scan: Scan?
    /// The patterns that the system's filter looks for; without such a filter, everything that is received is
    /// reported. An empty list matches anything.
    package var patterns: [Pattern]

    package init(advertising: Advertising? = nil, scan: Scan? = nil, patterns: [Pattern] = []) {
        (self.advertising, self.scan, self.patterns) = (advertising, scan, patterns)
    }

    package static let idle = RadioOrder()
    package var isIdle: Bool { advertising == nil && scan == nil }

    /// The first bytes of a field of an advertisement, or the bytes after an offset.
    package struct Pattern: Sendable, Hashable {
        package var type: UInt8
        /// The number of bytes between the field's type and ``bytes``.
        package var offset: UInt8
        package var bytes: [UInt8]

        package init(type: UInt8, offset: UInt8 = 0, _ bytes: [UInt8]) {
            (self.type, self.offset, self.bytes) = (type, offset, bytes)
        }
    }

    package struct Advertising: Sendable, Hashable {
        /// The contents, which are sent in turn.
        package var contents: [Content]
        /// A number that changes with the tokens; each epoch has its own address.
        package var epoch: UInt64
        /// True for the extended form, which holds more than 31 bytes; older radios do not receive it.
        package var isExtended: Bool

        package init(_ contents: [Content], epoch: UInt64, isExtended: Bool = false) {
            (self.contents, self.epoch, self.isExtended) = (contents, epoch, isExtended)
        }

        /// One advertisement's data in each form; `nil` where it does not fit.
        package struct Content: Sendable, Hashable {
            /// The data in up to 31 bytes.
            package var plain: [UInt8]?
            /// The data in up to 28 bytes, without flags: the system adds its own.
            package var bare: [UInt8]?
            /// The data in up to 251 bytes, for the extended form.
            package var extended: [UInt8]?

            package init(plain: [UInt8]?, bare: [UInt8]? = nil, extended: [UInt8]? = nil) {
                (self.plain, self.bare, self.extended) = (plain, bare, extended)
            }
        }

        /// The interval for a new token, which scanners must find soon; scanners that have found it need
        /// fewer frames.
        static let freshInterval = Duration.milliseconds(100)
        static let freshTime = Duration.seconds(30)
        static let interval = Duration.milliseconds(250)
        /// The time for which each of ``contents`` is sent, if there are several.
        static let turn = Duration.seconds(1)
        /// The time after which the system or the controller stops an advertisement by itself, where it can.
        /// If the program and its ``Watchdog`` are killed, the radio sends for no longer than this.
        static let longest = Duration.seconds(30)
        /// The age at which an advertisement that goes on is sent anew, from another address.
        static let renewal = Duration.seconds(20)
    }

    /// The share of the time for which a radio scans.
    package enum Scan: Sendable, Hashable {
        case foreground, background

        var window: Duration { self == .foreground ? .milliseconds(30) : .microseconds(112_500) }
        var interval: Duration { self == .foreground ? .milliseconds(60) : .milliseconds(1125) }

        /// The time after which a scan begins anew, at a random moment; `nil` if that is not needed. Short
        /// windows that are far apart can miss a sender each time, for minutes, if one period is a multiple
        /// of the other.
        var restart: Duration? { self == .background ? interval * 4 : nil }
    }
}

/// An action that a host requests from the session that drives it.
package enum HostAction: Sendable, Hashable {
    case send([UInt8])
    case heard(AdvertisingReport)
    /// Reports the obstacle of a direction; `nil` if there is none any more.
    case found(MediumCondition.Obstacle?, Role, String)
    /// The transport to the radio is broken and must be opened anew.
    case reopen(String)
}

/// A host that makes a radio carry out orders. It takes bytes and time, and returns bytes and reports. A
/// value.
package protocol LEHost: Sendable {
    mutating func carryOut(_ order: RadioOrder, now: Instant) -> [HostAction]
    /// Takes received bytes: an event with H4's type byte, or one message of the kernel.
    mutating func received(_ bytes: [UInt8], now: Instant) -> [HostAction]
    mutating func advance(to now: Instant) -> [HostAction]
    /// The time at which ``advance(to:)`` next has something to do.
    var nextDeadline: Instant? { get }
    /// Ends everything that the radio does, whatever the radio's state.
    mutating func stop(now: Instant) -> [HostAction]
    var isStopped: Bool { get }
    /// The messages that end everything that the radio sends, for the case that this program can no longer
    /// give orders; empty if nothing has to be ended.
    var stopCommands: [[UInt8]] { get }
}
