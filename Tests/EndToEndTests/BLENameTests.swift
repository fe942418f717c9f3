#if LibBluetooth
    import Foundation
    import TestSupport
    import Testing

    /// Tests of libbluetooth's names in what `nearby ble` prints.
    extension BLECommandTests {
        private func json(_ arguments: String...) throws -> [[String: Any]] {
            let outcome = Command.nearby.run(["ble"] + arguments + ["--json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try outcome.lines.map {
                try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }

        /// A company's number appears with its name; one that nobody has, without.
        @Test(.enabled(if: BLEAir.isInstalled, "needs Tools/ble/install"))
        func makersAreNamed() throws {
            let air = try BLEAir()
            let peer = try Process.peer(air.radios[0], ["advertise", "04ff02005604ff341256"])
            defer { kill(peer.processIdentifier, SIGKILL) }
            let scan = Command.nearby.run(["ble", "scan", "--radio", air.radios[1], "--for", "2"])
            #expect(scan.text.contains("manufacturer-data  0002 (Intel Corp.) 56"), "\(scan.text)")
            #expect(scan.text.contains("manufacturer-data  1234 56"), "\(scan.text)")
            let found = try json("scan", "--radio", air.radios[1], "--count", "2", "--for", "10")
            let names = found.map { ($0["company"] as? String, $0["companyName"] as? String) }
            #expect(names.contains { $0 == ("0002", "Intel Corp.") }, "\(found)")
            #expect(names.contains { $0 == ("1234", nil) }, "\(found)")
        }

        /// An iBeacon names its company, whose number is part of the form.
        @Test(.enabled(if: BLEAir.isInstalled, "needs Tools/ble/install"))
        func iBeaconsMaker() throws {
            let air = try BLEAir()
            let tag = "01234567-89AB-CDEF-0123-456789ABCDEF/1/2"
            let sender = RunningCommand(
                ["ble", "advertise", "--radio", air.radios[0], "--ibeacon", tag], of: Command.nearby)
            #expect(sender.waitForWords("on air", seconds: 10))
            let found = try json("scan", "--radio", air.radios[1], "--count", "1", "--for", "10")
            #expect(found.first?["companyName"] as? String == "Apple, Inc.", "\(found)")
            sender.interrupt()
            #expect(sender.finish().status == 0)
        }

        /// A foreign controller's versions, features and commands appear in words.
        @Test(.enabled(if: BLEAir.isInstalled, "needs Tools/ble/install"))
        func controllersInWords() throws {
            let air = try BLEAir(1)
            let doctor = Command.nearby.run(["ble", "doctor", "--radio", air.radios[0], "--details"])
            #expect(doctor.status == 0 && doctor.lines.count > 4, "\(doctor.errors)")
            let flat = doctor.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
            for words in [
                "; made by Bluetooth SIG, Inc", "HCI 5.0, link manager 5.0",
                "features: BR/EDR not supp., LE support,",
                "Set Event Mask, Reset,", "commands that libbluetooth has no name for",
            ] {
                #expect(flat.contains(words), "\(words): \(flat)")
            }
            let row = try #require(try json("doctor", "--radio", air.radios[0]).first)
            #expect(row["company"] as? String == "003f")
            #expect(row["companyName"] as? String == "Bluetooth SIG, Inc")
            #expect(row["hciVersion"] as? String == "5.0" && row["linkManagerVersion"] as? String == "5.0")
            #expect((row["features"] as? [String])?.contains("LE support") == true, "\(row)")
            #expect((row["commands"] as? [String])?.contains("LE Set Scan Enable") == true, "\(row)")
        }
    }
#endif
