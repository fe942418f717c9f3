#if LibBluetooth
    import CBluetooth
    import Glibc

    /// The names that libbluetooth has for Bluetooth's assigned numbers.
    enum BluetoothNames {
        /// The texts that libbluetooth returns for numbers that are no company's.
        private static let noCompany = ["not assigned", "internal use"]

        /// Returns the company's name; `nil` if libbluetooth does not know the number.
        static func company(_ number: UInt16) -> String? {
            guard let name = bt_compidtostr(Int32(number)).map({ String(cString: $0) }),
                !noCompany.contains(name)
            else { return nil }
            // A few names of the list contain two spaces in a row.
            return FindingWords.printable(name.split(separator: " ").joined(separator: " "))
        }

        /// Returns the version of the controller's interface, such as 5.1; `nil` if libbluetooth is older.
        static func hciVersion(_ number: UInt8) -> String? { owned(hci_vertostr(UInt32(number))) }

        /// Returns the version of the link manager, such as 5.1; `nil` if libbluetooth is older.
        static func linkManagerVersion(_ number: UInt8) -> String? { owned(lmp_vertostr(UInt32(number))) }

        /// Returns the names of the features in page 0, of 8 bytes.
        static func features(_ page: [UInt8]) -> [String]? {
            let text = padded(page, to: 8) { owned(lmp_featurestostr($0, nil, 0)) } ?? ""
            // The text is such as "<encryption> <LE support> ".
            return text.split(separator: "<").compactMap { $0.split(separator: ">").first.map(String.init) }
        }

        /// Returns the names of the supported commands, whose bits are in 64 bytes.
        static func commands(_ bits: [UInt8]) -> [String]? {
            let text = padded(bits, to: 64) { owned(hci_commandstostr($0, nil, 0)) } ?? ""
            // The text is such as "'Reset' 'LE Rand' ": spaces are between the names.
            let names = text.split(separator: "'").map(String.init)
            return names.filter { $0.contains { $0 != " " } && $0 != "Reserved" }
        }

        /// Returns the name of an adapter's bus, such as USB.
        static func bus(_ number: Int32) -> String? { hci_bustostr(number).map { String(cString: $0) } }

        /// Copies a text that libbluetooth allocated, and frees it. `nil` if it is missing or empty.
        private static func owned(_ text: UnsafeMutablePointer<CChar>?) -> String? {
            guard let text else { return nil }
            defer { free(text) }
            return text.pointee == 0 ? nil : String(cString: text)
        }

        /// libbluetooth reads so many bytes, whether they are there or not.
        private static func padded<Result>(
            _ bytes: [UInt8], to count: Int, _ use: (UnsafeMutablePointer<UInt8>) -> Result
        ) -> Result {
            var whole = Array(bytes.prefix(count)) + [UInt8](repeating: 0, count: max(0, count - bytes.count))
            return whole.withUnsafeMutableBufferPointer { use($0.baseAddress!) }
        }
    }
#else
    /// Without libbluetooth there are no names.
    enum BluetoothNames {
        static func company(_ number: UInt16) -> String? { nil }
        static func hciVersion(_ number: UInt8) -> String? { nil }
        static func linkManagerVersion(_ number: UInt8) -> String? { nil }
        static func features(_ page: [UInt8]) -> [String]? { nil }
        static func commands(_ bits: [UInt8]) -> [String]? { nil }
        static func bus(_ number: Int32) -> String? { nil }
    }
#endif
