import CommandOutput
import Glibc
import Synchronization

/// Ctrl-C and `kill` as a question: has one come? A second one ends the program at once.
enum Interruption {
    private static let raised = Atomic(false)

    static var hasCome: Bool { raised.load(ordering: .relaxed) }

    /// From now on the first of ``StopSignals/heeded`` only makes ``hasCome`` true.
    static func watch() {
        // Made before a handler needs it.
        raised.store(false, ordering: .relaxed)
        unblock()
        for number in StopSignals.heeded {
            signal(number) { number in
                if Interruption.raised.exchange(true, ordering: .relaxed) { _exit(128 + number) }
            }
        }
    }

    /// Until ``watch()`` they end the program: whoever started it may have blocked them.
    static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in StopSignals.heeded { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
