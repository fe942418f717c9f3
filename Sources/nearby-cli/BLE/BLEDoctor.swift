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

        @Flag(help: "Also print each controller's versions, features and commands, by libbluetooth's names.")
        var details = false

        @Flag(help: "Print one JSON object per line.")
        var json = false

        func validate() throws { _ = try name() }

        func run() async throws {
            let diagnosis = try diagnosis()
            let rows = json || details ? diagnosis.rows.map(completed) : diagnosis.rows.map { ($0, nil) }
            if json {
                for (row, bus) in rows {
                    try StandardOutput.write(DoctorWords.json(row, choice: diagnosis.choice, bus: bus))
                }
            } else {
                let cells = rows.flatMap { row, bus in
                    [DoctorWords.cells(row)] + (details ? DoctorWords.details(row, bus: bus) : [])
                }
                for line in TextTable(cells).lines { try StandardOutput.write(line) }
            }
            guard let obstacle = diagnosis.obstacle else { return }
            throw CommandFailure(
                obstacle.exitStatus,
                "no radio can be used: the \(diagnosis.rows.count) lines above say why")
        }

        /// Returns the row of a kernel's adapter with what libbluetooth tells of it, and its bus.
        private func completed(_ row: RadioDiagnosis.Row) -> (RadioDiagnosis.Row, bus: String?) {
            guard row.kind == .adapter, row.name.hasPrefix("hci"), let index = Int(row.name.dropFirst(3))
            else {
                return (row, nil)
            }
            let inquiry = AdapterInquiry(adapter: index)
            var row = row
            if row.abilities != nil { inquiry.complete(&row.abilities!) }
            return (row, inquiry.bus)
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
