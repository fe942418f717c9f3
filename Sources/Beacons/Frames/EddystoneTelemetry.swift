/// The state of a beacon, which it sends now and then between its other frames.
///
///     | 0x20 | version 0 | battery mV 2 | temperature 8.8 2 | frames sent 4 | uptime 0.1 s 4 |
public struct EddystoneTelemetry: Hashable, Sendable {
    static let frameType: UInt8 = 0x20
    static let version: UInt8 = 0
    static let byteCount = 14

    /// The battery's voltage; 0 if it is not measured.
    public var batteryMillivolts: UInt16
    /// The temperature in 1/256 °C; ``noTemperature`` if it is not measured.
    public var temperature: Int16
    /// The number of frames that were sent since power-on.
    public var advertisementCount: UInt32
    /// The time since power-on, in units of 0.1 s.
    public var uptimeDeciseconds: UInt32

    /// The value of ``temperature`` if it is not measured: −128 °C.
    public static let noTemperature = Int16.min

    /// Creates a frame. By default, battery and temperature count as not measured.
    public init(
        batteryMillivolts: UInt16 = 0, temperature: Int16 = noTemperature, advertisementCount: UInt32,
        uptimeDeciseconds: UInt32
    ) {
        (self.batteryMillivolts, self.temperature) = (batteryMillivolts, temperature)
        (self.advertisementCount, self.uptimeDeciseconds) = (advertisementCount, uptimeDeciseconds)
    }

    /// The temperature; `nil` if it is not measured.
    public var temperatureCelsius: Double? {
        temperature == EddystoneTelemetry.noTemperature ? nil : Double(temperature) / 256
    }

    /// The time since power-on, to a tenth of a second.
    public var uptime: Duration { .milliseconds(100 * Int64(uptimeDeciseconds)) }

    init(_ bytes: Span<UInt8>) throws(BeaconRejection) {
        guard bytes.count == EddystoneTelemetry.byteCount else {
            throw .byteCount(
                .telemetry, expected: [EddystoneTelemetry.byteCount], received: bytes.count)
        }
        self.init(fields: bytes.extracting(2..<bytes.count))
    }

    /// Precondition: the 12 bytes of ``fields``.
    init(fields: Span<UInt8>) {
        batteryMillivolts = fields.bigEndian(0, as: UInt16.self)
        temperature = fields.bigEndian(2, as: Int16.self)
        advertisementCount = fields.bigEndian(4, as: UInt32.self)
        uptimeDeciseconds = fields.bigEndian(8, as: UInt32.self)
    }

    /// The 12 bytes that encryption hides: everything but type and version.
    var fields: [UInt8] {
        batteryMillivolts.bigEndianBytes + temperature.bigEndianBytes + advertisementCount.bigEndianBytes
            + uptimeDeciseconds.bigEndianBytes
    }

    /// The bytes of the service data after the UUID: 14 bytes.
    public var bytes: [UInt8] { [EddystoneTelemetry.frameType, EddystoneTelemetry.version] + fields }
}
