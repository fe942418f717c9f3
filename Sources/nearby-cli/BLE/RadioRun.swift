import ArgumentParser
import BLEMedium
import CommandOutput
import Nearby
import SetTopBoxService
import Synchronization
import UnixSignals

/// Runs a radio for the duration of a command. Received advertisements, the radio's state and the passing
/// seconds form one stream. The time limit and Ctrl-C end it.
struct RadioRun: Sendable {
    enum Event: Sendable {
        case heard(AdvertisingReport, at: Duration)
        /// The radio carries out its order.
        case works
        /// A second has passed.
        case second
    }

    private enum Note: Sendable {
        case event(Event)
        case failing(MediumCondition.Obstacle, String)
        case broken(CommandFailure)
    }

    /// The maximum number of reports that wait for the command; further ones are dropped.
    private static let pendingLimit = 4096

    let name: TransportName
    let role: Role
    let options: RadioOptions
    /// Receives every packet in the radio's thread, in addition to the capture.
    var packet: (@Sendable (HCIPacket, HCIPacket.Direction) -> Void)?

    /// Runs until `take` returns `false`, the time limit passes or a signal comes. The radio is silent on
    /// return.
    ///
    /// Throws: 69 or 77 if the radio does not work at the start; 73, 74 or 77 if the capture file cannot be
    /// used; the errors of `take`. A radio that fails later is reported and awaited. A capture that fails
    /// later does not end the run, which then throws 74 at its end.
    func callAsFunction(_ order: RadioOrder, _ take: (Event) throws -> Bool) async throws {
        // Signals are trapped before the radio transmits, because a signal must silence it.
        let signals = await UnixSignalsSequence(trapping: UnixSignal.heeded(.sigint, .sigterm, .sighup))
        let (notes, continuation) = AsyncStream.makeStream(of: Note.self)
        let capture = try options.captureFile.map {
            try CaptureFile($0) { continuation.yield(.broken($0)) }
        }
        let pending = PendingCount(RadioRun.pendingLimit)
        let monitor = try await monitor(capture)
        let radio = try BLERadio(name, listener(continuation, pending, monitor == nil ? capture : nil))
        radio.carryOut(order)
        do {
            try await follow(notes, continuation, pending, signals, take)
        } catch {
            await silence(radio, monitor)
            throw error
        }
        await silence(radio, monitor)
    }

    private func silence(_ radio: BLERadio, _ monitor: BLERadio?) async {
        radio.carryOut(.idle)
        await radio.silence()
        monitor?.carryOut(.idle)
        await monitor?.silence()
    }

    private func listener(
        _ continuation: AsyncStream<Note>.Continuation, _ pending: PendingCount, _ capture: CaptureFile?
    ) -> BLERadio.Listener {
        var listener = BLERadio.Listener(
            heard: { report, now in
                if pending.enter() { continuation.yield(.event(.heard(report, at: now.offset))) }
            },
            found: { [role] obstacle, of, words in
                guard of == role else { return }
                if let obstacle {
                    continuation.yield(.failing(obstacle, words))
                } else {
                    continuation.yield(.event(.works))
                }
            })
        if capture != nil || packet != nil {
            listener.packet = { [packet] one, direction in
                capture?.add(one, direction)
                packet?(one, direction)
            }
        }
        return listener
    }

    /// Starts a monitor for the capture, because only the kernel's monitor sees the packets between the
    /// kernel and the controller. Throws: 77 if this process may not use the monitor.
    private func monitor(_ capture: CaptureFile?) async throws -> BLERadio? {
        guard let capture, case .management(let index) = name else { return nil }
        let (founds, continuation) = AsyncStream.makeStream(of: CommandFailure?.self)
        let radio = try BLERadio(
            .monitor(index),
            .init(
                heard: { _, _ in },
                found: { obstacle, role, words in
                    guard role == .scan else { return }
                    continuation.yield(
                        obstacle.map {
                            CommandFailure($0.exitStatus, "--capture-file under \(name): \(words)")
                        })
                },
                packet: { capture.add($0, $1) }))
        radio.carryOut(RadioOrder(scan: .foreground))
        for await failure in founds {
            if let failure { throw failure }
            break
        }
        return radio
    }

    private func follow(
        _ notes: AsyncStream<Note>, _ continuation: AsyncStream<Note>.Continuation, _ pending: PendingCount,
        _ signals: UnixSignalsSequence, _ take: (Event) throws -> Bool
    ) async throws {
        let seconds = options.seconds
        let others = [
            Task {
                for await _ in signals { break }
                continuation.finish()
            },
            Task {
                while !Task.isCancelled {
                    guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                    continuation.yield(.event(.second))
                }
            },
            Task {
                guard let seconds, (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
                continuation.finish()
            },
        ]
        defer { for other in others { other.cancel() } }
        var hasWorked = false
        var lastWords: String?
        var isCaptureBroken = false
        reading: for await note in notes {
            switch note {
            case .broken(let failure):
                StandardError.write(
                    "\(failure.message); the capture ends and is kept; everything else continues")
                isCaptureBroken = true
            case .failing(let obstacle, let words):
                guard hasWorked else { throw CommandFailure(obstacle.exitStatus, words) }
                if words != lastWords { StandardError.write("\(words); waiting for it") }
                lastWords = words
            case .event(let event):
                switch event {
                case .heard: pending.leave()
                case .works:
                    if lastWords != nil { StandardError.write("\(name) works again") }
                    (hasWorked, lastWords) = (true, nil)
                case .second: break
                }
                guard try take(event) else { break reading }
            }
        }
        if isCaptureBroken { throw ExitCode(ExitStatus.inputOutput.rawValue) }
    }
}

/// The number of waiting reports, up to a limit.
private final class PendingCount: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Counts one more report. Returns `false` if the limit is reached.
    func enter() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}
