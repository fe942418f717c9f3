import ArgumentParser
import BLEMedium
import CommandOutput

extension BLECommand {
    struct Doctor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "doctor",
            abstract: "List the Bluetooth radios, and what prevents the use of each.",
            discussion: """
                Prints a line for each requirement, adapter and radio: ok, or what to do. It changes nothing, except \
                that a controller named by --radio, such as tcp-client:HOST:PORT, is reset.

                Exit codes: 0 a radio can be used, or the one named by --radio; 69 none can; 77 none can without \
                more permission.
                """)

        @Option(
            help: ArgumentHelp(
                "Check only this radio. (default: all radios of the kernel)", valueName: "name"))
        var radio: String?

        @Flag(help: "Print one JSON object per line.")
        var json = false

        func validate() throws { _ = try name() }

        func run() async throws {
            let diagnosis = try diagnosis()
            if json {
                for row in diagnosis.rows {
                    try StandardOutput.write(DoctorWords.json(row, choice: diagnosis.choice))
                }
            } else {
                for line in TextTable(diagnosis.rows.map(DoctorWords.cells)).lines {
                    try StandardOutput.write(line)
                }
            }
            guard let obstacle = diagnosis.obstacle else { return }
            throw CommandFailure(
                obstacle.exitStatus,
                "no radio can be used: the \(diagnosis.rows.count) lines above say why")
        }

        /// Throws: 64 if the radio's name is invalid.
        private func name() throws -> TransportName? { try radio.map { try RadioNameOption.name($0) } }

        private func diagnosis() throws -> RadioDiagnosis {
            switch try name() {
            case nil, .auto: return RadioDiagnosis(.gathered())
            case .management?, .userChannel?, .monitor?: return RadioDiagnosis(.gathered(), only: try name())
            case let name?:
                do throws(BLEError) {
                    return RadioDiagnosis(name, .success(try ControllerInspection.probe(name)))
                } catch {
                    return RadioDiagnosis(name, .failure(error))
                }
            }
        }
    }
}

/// The text and JSON forms of a row of the diagnosis.
enum DoctorWords {
    static func cells(_ row: RadioDiagnosis.Row) -> [String] {
        let verdict =
            switch row.obstacle {
            case nil: "ok"
            case .noPermission?: "forbidden"
            case .poweredOff?: "off"
            default: "no"
            }
        return [verdict, row.name, row.words]
    }

    static func json(_ row: RadioDiagnosis.Row, choice: TransportName?) -> String {
        var object = JSONObject()
        object.add("row", row.kind.rawValue)
        object.add("name", row.name)
        object.add("ok", row.obstacle == nil)
        object.add("obstacle", row.obstacle?.name)
        object.add("words", row.words)
        object.add("chosen", row.kind == .radio && choice.map { "\($0)" == row.name } ?? false)
        let abilities = row.abilities
        object.add("address", abilities?.address.map { "\($0)" })
        object.add("bluetooth", abilities?.bluetooth)
        object.add("powered", orNull: abilities?.isPowered)
        object.add("extendedAdvertising", orNull: abilities?.hasExtended)
        object.add("advertisements", orNull: abilities?.setCount)
        object.add("advertisementBytes", orNull: abilities?.byteCount)
        return object.description
    }
}
