import AudioIO
import CommandOutput
import Nearby
import Synchronization

/// How a live command's devices and its server fare: tells each trouble once, with its reason, and knows what the command fails with where
/// it did nothing.
final class LiveConditions: Sendable {
    private struct Direction: Hashable {
        var medium: Medium
        var role: Role
    }

    private struct State {
        var worked: Set<Direction> = []
        /// Directions in trouble, and why.
        var troubles: [Direction: CommandFailure] = [:]
        /// Why the server, or what is in its place, did not take the last report.
        var registryError: RegistryError?
        var told: Set<String> = []
        /// The media that the command goes by.
        var media: Set<Medium>
    }

    /// The direction that the command is of no use without.
    private let neededRole: Role
    private let state: Mutex<State>
    /// The failure that ends the command: a needed device does not work from the beginning.
    let fatal: AsyncStream<CommandFailure>
    private let continuation: AsyncStream<CommandFailure>.Continuation

    init(_ settings: LiveSettings) {
        neededRole = settings.neededRole
        state = Mutex(State(media: settings.medium.media))
        (fatal, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// A medium is not there, and the command goes on by the other one.
    func leaveOut(_ medium: Medium) { _ = state.withLock { $0.media.remove(medium) } }

    /// A direction works: from now on its troubles are waited for.
    func works(_ medium: Medium, _ role: Role) {
        let direction = Direction(medium: medium, role: role)
        let trouble = state.withLock { state in
            state.worked.insert(direction)
            return state.troubles.removeValue(forKey: direction)
        }
        if trouble != nil { StandardError.write("the \(LiveConditions.device(direction)) works again") }
    }

    /// A direction does not work. Ends the command when it needs that, and it never did.
    func fails(_ medium: Medium, _ role: Role, _ failure: CommandFailure) {
        let direction = Direction(medium: medium, role: role)
        let (isFatal, isNew) = state.withLock { state in
            let isNew = !state.troubles.values.contains { $0.message == failure.message }
            state.troubles[direction] = failure
            return (isNeeded(direction, state), isNew)
        }
        if isFatal {
            continuation.yield(failure)
        } else if isNew {
            StandardError.write("\(failure.message); trying again")
        }
    }

    /// Whether the command is of no use without a direction that never worked. A radio is one device for both of them.
    private func isNeeded(_ direction: Direction, _ state: borrowing State) -> Bool {
        guard state.media == [direction.medium] else { return false }
        return direction.medium == .ble
            ? !state.worked.contains { $0.medium == .ble }
            : direction.role == neededRole && !state.worked.contains(direction)
    }

    /// Takes the words of a sound device.
    func note(_ role: Role, _ error: AudioIOError?) {
        guard let error else { return works(.audio, role) }
        let device = LiveConditions.device(Direction(medium: .audio, role: role))
        // The medium's own words name no device.
        let words = error.path == .standardStream ? error.reason : "\(error)"
        fails(.audio, role, CommandFailure(error.exitStatus, "\(device): \(words)"))
    }

    /// Takes the words of a radio. Both directions' trouble is told once where it is the same.
    func note(_ role: Role, _ obstacle: MediumCondition.Obstacle?, _ words: String) {
        guard let obstacle else { return works(.ble, role) }
        fails(.ble, role, CommandFailure(obstacle.exitStatus, "Bluetooth: \(words)"))
    }

    /// Takes a status of the engine. Throws: 77 when a server refuses, 64 without one.
    func note(_ status: EngineStatus, hasServer: Bool) throws(CommandFailure) {
        if case .refused(let why)? = status.registryError {
            throw CommandFailure(hasServer ? .noPermission : .usage, why)
        }
        var words = Set(status.registryError.map { ["\($0)"] } ?? [])
        for (medium, one) in status.media where one.isUnheard {
            words.insert("\(medium): its own tokens are not heard; louder?")
        }
        let (new, isBack) = state.withLock { state in
            defer { (state.told, state.registryError) = (words, status.registryError) }
            let isBack = status.registryError == nil && state.registryError?.isSilence == true
            return (words.subtracting(state.told), isBack)
        }
        for line in new.sorted() { StandardError.write(line) }
        if isBack { StandardError.write("the registry answers again") }
    }

    /// Why nothing was done: the server's reason, or the needed device's; nil when nothing stood in the way.
    var failure: CommandFailure? {
        state.withLock { state in
            if let error = state.registryError {
                return CommandFailure(.unavailable, "\(error.withoutRetry)")
            }
            let needed = state.troubles.first { $0.key.role == neededRole }
            return (needed ?? state.troubles.first)?.value
        }
    }

    private static func device(_ direction: Direction) -> String {
        switch (direction.medium, direction.role) {
        case (.audio, .broadcast): "loudspeaker"
        case (.audio, .scan): "microphone"
        case (.ble, .broadcast): "Bluetooth sender"
        case (.ble, .scan): "Bluetooth receiver"
        }
    }
}

extension RegistryError {
    fileprivate var isSilence: Bool {
        if case .unreachable = self { true } else { false }
    }

    /// Its words for a command that ends.
    fileprivate var withoutRetry: String {
        switch self {
        case .unreachable(let why): "the registry does not answer: \(why)"
        case .unknownDevice, .rateLimited, .refused, .notReady: "\(self)"
        }
    }
}
