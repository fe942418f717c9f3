import AcousticModem
import ArgumentParser

/// The parameters on which both ends must agree, besides the waveform's name.
struct AgreementOptions: ParsableArguments {
    @OptionGroup var ggwave: GGWaveOptions
    @OptionGroup var line: UARTOptions

    var agreement: ProfileAgreement {
        ProfileAgreement(ggwave: ggwave.agreement, line: line.agreement)
    }
}

struct ProfileAgreement {
    var ggwave = GGWaveAgreement()
    var line = UARTAgreement()
}
