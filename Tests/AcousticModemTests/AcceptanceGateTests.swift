import Testing

@testable import AcousticModem

@Suite struct AcceptanceGateTests {
    /// The verdicts of the DSSS gate are right as evidence grows, with a check that holds or does not.
    @Test func verdictsFollowTheEvidence() {
        let gate = AcceptanceGate.dsss(lookNats: 10)
        func found(_ pilots: Float, missing: Float = 0) -> Verdict {
            gate.verdict(Evidence(stage: .found, pilotNats: pilots, missingNats: missing))
        }
        #expect(found(9.9) == .reject(.faint))
        #expect(found(10) == .look)
        #expect(found(10, missing: 2) == .reject(.faint))
        #expect(found(7.5, missing: -3) == .look)
        func decoded(_ pilots: Float, code: Float) -> Verdict {
            gate.verdict(Evidence(stage: .decoded, pilotNats: pilots, nats: pilots + code))
        }
        #expect(decoded(12, code: -10) == .reject(.unlikely))
        #expect(decoded(17, code: -10) == .quickLook)
        #expect(decoded(18, code: -7) == .deepLook)
        // Prominent pilots make up for little evidence, but not for a code that speaks against a frame.
        #expect(decoded(20, code: -15) == .quickLook)
        #expect(decoded(40, code: -20) == .reject(.unlikely))
        func checked(_ pilots: Float, code: Float) -> Verdict {
            gate.verdict(Evidence(stage: .checked, pilotNats: pilots, nats: pilots + code))
        }
        #expect(checked(12, code: -7) == .reject(.undecoded))
        #expect(checked(12, code: -5) == .accept)
        #expect(checked(12, code: 41) == .certain)
    }

    /// Strong pilots alone are no frame, especially if several looks are added up or very much is tried.
    @Test func pilotsCountInPart() {
        let gate = AcceptanceGate.dsss()
        var evidence = Evidence(stage: .checked, pilotNats: 100, nats: 100 - 7)
        #expect(gate.verdict(evidence) == .accept)
        evidence.nats = 100 - 9
        #expect(gate.verdict(evidence) == .reject(.undecoded))
        evidence.nats = 100 - 7
        evidence.isStrained = true
        #expect(gate.verdict(evidence) == .reject(.undecoded))
        // Of several looks only pilots that noise does not reach count like one look's.
        evidence.isStrained = false
        evidence.lookCount = 2
        #expect(gate.verdict(evidence) == .accept)
        (evidence.pilotNats, evidence.nats) = (21, 21 - 1)
        #expect(gate.verdict(evidence) == .reject(.undecoded))
    }

    /// A doubted word whose check holds waits for a second frame, unless it is far likelier than others.
    @Test func doubtedWordsAreRememberedUnlessSure() {
        let gate = AcceptanceGate.dsss()
        func checked(code: Float, posterior: Float) -> Verdict {
            var evidence = Evidence(stage: .checked, pilotNats: 14, nats: 14 + code)
            (evidence.posteriorNats, evidence.isDoubted) = (posterior, true)
            return gate.verdict(evidence)
        }
        #expect(checked(code: 1, posterior: 14) == .remember)
        #expect(checked(code: -1, posterior: 16) == .remember)
        #expect(checked(code: 1, posterior: 16) == .accept)
        #expect(checked(code: 41, posterior: 16) == .certain)
        #expect(checked(code: -9, posterior: 16) == .reject(.undecoded))
    }

    /// A candidate of FSK is looked at, remembered, or given up for the reason that speaks against it.
    @Test func contrastIsAskedOfWhatIsLookedAt() {
        let gate = AcceptanceGate.fsk()
        func found(_ nats: Float, contrast: Float) -> Verdict {
            gate.verdict(Evidence(stage: .found, pilotNats: nats, contrast: contrast))
        }
        #expect(found(1, contrast: 0) == .reject(.faint))
        #expect(found(3, contrast: -30) == .remember)
        #expect(found(9, contrast: 0) == .look)
        #expect(found(9, contrast: -12) == .reject(.unlikely))
        #expect(found(100, contrast: -12) == .look)
    }

    /// Every frame that is added, and every fit of phases, raises the required evidence.
    @Test func combinedFramesNeedMore() {
        func isFrame(_ nats: Float, frames: Int, fits: Int) -> Bool {
            let evidence = Evidence(stage: .checked, nats: nats, rarity: 0)
            return AcceptanceGate.fsk(frameCount: frames, fitCount: fits).verdict(evidence).isFrame
        }
        #expect(isFrame(5, frames: 1, fits: 0) && !isFrame(5, frames: 2, fits: 0))
        #expect(isFrame(7, frames: 2, fits: 0) && !isFrame(7, frames: 2, fits: 2))
        #expect(isFrame(17, frames: 2, fits: 2))
    }

    /// The information in few bytes of parity bounds the evidence required of a message of fixed length. Its
    /// margin is required all the same.
    @Test func shortMessagesAreAskedForLess() {
        func verdict(_ nats: Float, margin: Float, parityByteCount: Int?) -> Verdict {
            AcceptanceGate.ggwave(parityByteCount: parityByteCount).verdict(
                Evidence(stage: .checked, nats: nats, margin: margin))
        }
        #expect(verdict(9, margin: 3, parityByteCount: 2) == .accept)
        #expect(verdict(9, margin: 3, parityByteCount: nil) == .reject(.undecoded))
        #expect(verdict(17, margin: 3, parityByteCount: 8) == .accept)
        #expect(verdict(17, margin: 2, parityByteCount: 8) == .reject(.undecoded))
    }

    /// Short bursts need a plainer carrier than long ones, and all need framing.
    @Test func shortBurstsNeedAPlainCarrier() {
        func verdict(_ stage: Evidence.Stage, bitCount: Int64) -> Verdict {
            AcceptanceGate.uart(bitCount: bitCount).verdict(Evidence(stage: stage, pilotNats: 2))
        }
        #expect(verdict(.checked, bitCount: 10) == .reject(.undecoded))
        #expect(verdict(.checked, bitCount: 100) == .accept)
        #expect(!verdict(.decoded, bitCount: 100).isFrame)
    }
}
