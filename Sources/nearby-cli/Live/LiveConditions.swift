import AudioIO
import CommandOutput
import Nearby
import Synchronization

/// The condition of a live command's devices and its registry. It reports each trouble once, with its reason,
/// and provides the failure of a command that achieved nothing.
final class LiveConditions: Sendable {
    private struct Direction: Hashable {
        var medium: Medium
        var role: Role
    }

    private struct State {
        var worked: Set<Direction> = []
        /// The directions that do not work, with the reasons.
        var troubles: [Direction: CommandFailure] = [:]
        /// The reason why the registry did not accept the last report.
        var registryError: RegistryError?
        var printed: Set<String> = []
        /// The media that the command uses.
        var media: Set<Medium>
    }

    /// The direction without which the command is useless.
    private let neededRole: Role
    private let state: Mutex<State>
    /// The failure that ends the command, because a needed device does not work from the start.
    let fatal: AsyncStream<CommandFailure>
    private let continuation: AsyncStream<CommandFailure>.Continuation

    init(_ settings: LiveSettings) {
        neededRole = settings.neededRole
        state = Mutex(State(media: settings.medium.media))
        (fatal, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Removes a medium that is missing. The command continues with the other one.
    func leaveOut(_ medium: Medium) { _ = state.withLock { $0.media.remove(medium) } }

    /// Notes that a direction works. Its later failures do not end the command.
    func works(_ medium: Medium, _ role: Role) {
        let direction = Direction(medium: medium, role: role)
        let trouble = state.withLock { state in
            state.worked.insert(direction)
            return state.troubles.removeValue(forKey: direction)
        }
        if trouble != nil { StandardError.write("the \(LiveConditions.device(direction)) works again") }
    }

    /// Notes that a direction does not work. The command ends if it needs the direction and the direction
    /// never worked.
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

    /// Returns `true` if the command is useless without a direction that never worked. A radio is one device
    /// for both directions.
    private func isNeeded(_ direction: Direction, _ state: borrowing State) -> Bool {
        guard state.media == [direction.medium] else { return false }
        return direction.medium == .ble
            ? !state.worked.contains { $0.medium == .ble }
            : direction.role == neededRole && !state.worked.contains(direction)
    }

    /// Processes a report of a sound device; `nil` if the device works.
    func note(_ role: Role, _ error: AudioIOError?) {
        guard let error else { return works(.audio, role) }
        let device = LiveConditions.device(Direction(medium: .audio, role: role))
        // The audio medium's own errors name no device.
        let words = error.path == .standardStream ? error.reason : "\(error)"
        fails(.audio, role, CommandFailure(error.exitStatus, "\(device): \(words)"))
    }

    /// Processes a report of a radio. The same trouble in both directions is reported once.
    func note(_ role: Role, _ obstacle: MediumCondition.Obstacle?, _ words: String) {
        guard let obstacle else { return works(.ble, role) }
        fails(.ble, role, CommandFailure(obstacle.exitStatus, "Bluetooth: \(words)"))
    }

    /// Processes a status of the engine. Throws: 77 if a server refuses the report, 64 if the substitute for
    /// a server does.
    func note(_ status: EngineStatus, hasServer: Bool) throws(CommandFailure) {
        if case .refused(let why)? = status.registryError {
            throw CommandFailure(hasServer ? .noPermission : .usage, why)
        }
        var words = Set(status.registryError.map { ["\($0)"] } ?? [])
        for (medium, one) in status.media where one.isUnheard {
            words.insert("\(medium): the microphone does not hear this device's own tokens; raise the volume")
        }
        let (new, isBack) = state.withLock { state in
            defer { (state.printed, state.registryError) = (words, status.registryError) }
            let isBack = status.registryError == nil && state.registryError?.isSilence == true
            return (words.subtracting(state.printed), isBack)
        }
        for line in new.sorted() { StandardError.write(line) }
        if isBack { StandardError.write("the registry answers again") }
    }

    /// The reason why the command achieved nothing: the registry's error, or else the trouble of a device,
    /// the needed one first; `nil` if there is neither.
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
        case (.lan, _): "local network"
        }
    }
}

extension RegistryError {
    fileprivate var isSilence: Bool {
        if case .unreachable = self { true } else { false }
    }

    /// The error in words for a command that ends and does not retry.
    fileprivate var withoutRetry: String {
        switch self {
        case .unreachable(let why): "the registry does not answer: \(why)"
        case .unknownDevice, .rateLimited, .refused, .notReady: "\(self)"
        }
    }
}
