import BLEMedium
import CommandOutput

/// The text and JSON forms of a row of the diagnosis.
enum DoctorWords {
    /// The largest number of characters in a line of names.
    private static let nameWidth = 88

    static func cells(_ row: RadioDiagnosis.Row) -> [String] {
        let verdict =
            switch row.obstacle {
            case nil: "ok"
            case .noPermission?: "forbidden"
            case .poweredOff?: "off"
            default: "no"
            }
        let maker = row.abilities?.company.flatMap(BluetoothNames.company).map { "; made by \($0)" }
        return [verdict, row.name, row.words + (maker ?? "")]
    }

    /// Formats what the controller of a row reports of itself, in libbluetooth's words.
    static func details(_ row: RadioDiagnosis.Row, bus: String?) -> [[String]] {
        guard let abilities = row.abilities else { return [] }
        let versions = [
            abilities.version.map { "HCI \(version($0, BluetoothNames.hciVersion))" },
            abilities.linkManagerVersion.map {
                "link manager \(version($0, BluetoothNames.linkManagerVersion))"
            },
            bus.map { "bus \($0)" },
        ].compactMap { $0 }
        let features = abilities.features.flatMap(BluetoothNames.features)
        let commands = abilities.commands.flatMap(BluetoothNames.commands)
        let lines =
            (versions.isEmpty ? [] : [versions.joined(separator: ", ")])
            + list("features", features) + list("commands", commands)
            + unnamed(abilities.commands, commands)
        return lines.map { ["", row.name, $0] }
    }

    /// Counts the supported commands that are newer than libbluetooth's list of names, which ends with 4.0.
    private static func unnamed(_ bits: [UInt8]?, _ names: [String]?) -> [String] {
        guard let bits, let names else { return [] }
        let count = bits.reduce(0) { $0 + $1.nonzeroBitCount } - names.count
        return count > 0 ? ["\(count) commands that libbluetooth has no name for"] : []
    }

    private static func version(_ number: UInt8, _ name: (UInt8) -> String?) -> String {
        name(number) ?? "number \(number)"
    }

    /// Formats names as lines that are not longer than ``nameWidth``, unless one name is.
    private static func list(_ title: String, _ names: [String]?) -> [String] {
        guard let names else { return [] }
        var lines = ["\(names.count) \(title)\(names.isEmpty ? "" : ":")"]
        for (index, name) in names.enumerated() {
            let word = " " + name + (index + 1 < names.count ? "," : "")
            if lines[lines.count - 1].count + word.count > nameWidth { lines.append(" ") }
            lines[lines.count - 1] += word
        }
        return lines
    }

    static func json(_ row: RadioDiagnosis.Row, choice: TransportName?, bus: String?) -> String {
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
        object.add("company", abilities?.company.map { FindingWords.hex($0, digits: 4) })
        object.add("companyName", abilities?.company.flatMap(BluetoothNames.company))
        object.add("hciVersion", abilities?.version.flatMap(BluetoothNames.hciVersion))
        object.add(
            "linkManagerVersion", abilities?.linkManagerVersion.flatMap(BluetoothNames.linkManagerVersion))
        object.add("bus", bus)
        add("features", abilities?.features.flatMap(BluetoothNames.features), to: &object)
        add("commands", abilities?.commands.flatMap(BluetoothNames.commands), to: &object)
        return object.description
    }

    private static func add(_ name: String, _ names: [String]?, to object: inout JSONObject) {
        if let names {
            object.add(name, names.map(JSONObject.quoted))
        } else {
            object.add(name, nil as String?)
        }
    }
}
