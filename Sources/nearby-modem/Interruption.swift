import CommandOutput
import Glibc
import Synchronization

/// A flag for Ctrl-C and `kill`: it is true once one has come. A second one ends the program at once.
enum Interruption {
    private static let raised = Atomic(false)

    static var hasCome: Bool { raised.load(ordering: .relaxed) }

    /// Makes the first of ``StopSignals/heeded`` only set ``hasCome`` from now on.
    static func watch() {
        // The flag is created here, before a handler needs it.
        raised.store(false, ordering: .relaxed)
        unblock()
        for number in StopSignals.heeded {
            signal(number) { number in
                if Interruption.raised.exchange(true, ordering: .relaxed) { _exit(128 + number) }
            }
        }
    }

    /// Unblocks the signals, because the program's parent may have blocked them. Until ``watch()`` they end
    /// the program.
    static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in StopSignals.heeded { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
