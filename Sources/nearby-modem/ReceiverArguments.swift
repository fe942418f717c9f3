import AcousticModem
import ArgumentParser

/// The options of a receiver that commands share.
struct ReceiverArguments: ParsableArguments {
    static let fourRepeatsHelp: ArgumentHelp = """
        Search four repeats of a DSSS token as one, too: one that is sent again and again is received 1.5 dB \
        fainter, for two thirds more work and 2 MB.
        """

    @Flag(
        help: """
            Also report frames too faint to decode if they are those of a DSSS token received in the last 5 minutes, \
            at its pace; such a line says 'renewed'.
            """)
    var renew = false

    @Flag(help: ReceiverArguments.fourRepeatsHelp)
    var fourRepeats = false

    var options: ReceiverOptions { ReceiverOptions(renewsTokens: renew, joinsFourRepeats: fourRepeats) }
}
