/// How a beacon is doing; sent now and then between its other frames.
///
///     | 0x20 | version 0 | battery mV 2 | temperature 8.8 2 | frames sent 4 | uptime 0.1 s 4 |
public struct EddystoneTelemetry: Hashable, Sendable {
    static let frameType: UInt8 = 0x20
    static let version: UInt8 = 0
    static let byteCount = 14

    /// 0 where it is not measured.
    public var batteryMillivolts: UInt16
    /// In 1/256 °C; ``noTemperature`` where it is not measured.
    public var temperature: Int16
    /// Since power came.
    public var advertisementCount: UInt32
    /// Since power came, 0.1 s.
    public var uptimeDeciseconds: UInt32

    /// What ``temperature`` is where it is not measured: −128 °C.
    public static let noTemperature = Int16.min

    /// Battery and temperature are not measured unless given.
    public init(
        batteryMillivolts: UInt16 = 0, temperature: Int16 = noTemperature, advertisementCount: UInt32,
        uptimeDeciseconds: UInt32
    ) {
        (self.batteryMillivolts, self.temperature) = (batteryMillivolts, temperature)
        (self.advertisementCount, self.uptimeDeciseconds) = (advertisementCount, uptimeDeciseconds)
    }

    /// Nil where it is not measured.
    public var temperatureCelsius: Double? {
        temperature == EddystoneTelemetry.noTemperature ? nil : Double(temperature) / 256
    }

    /// Since power came, to a tenth of a second.
    public var uptime: Duration { .milliseconds(100 * Int64(uptimeDeciseconds)) }

    init(_ bytes: Span<UInt8>) throws(BeaconRejection) {
        guard bytes.count == EddystoneTelemetry.byteCount else {
            throw .byteCount(
                .telemetry, expected: [EddystoneTelemetry.byteCount], received: bytes.count)
        }
        self.init(fields: bytes.extracting(2..<bytes.count))
    }

    /// Precondition: 12 bytes, ``fields``.
    init(fields: Span<UInt8>) {
        batteryMillivolts = fields.bigEndian(0, as: UInt16.self)
        temperature = fields.bigEndian(2, as: Int16.self)
        advertisementCount = fields.bigEndian(4, as: UInt32.self)
        uptimeDeciseconds = fields.bigEndian(8, as: UInt32.self)
    }

    /// What encryption hides: all but type and version. 12 bytes.
    var fields: [UInt8] {
        batteryMillivolts.bigEndianBytes + temperature.bigEndianBytes + advertisementCount.bigEndianBytes
            + uptimeDeciseconds.bigEndianBytes
    }

    /// As they stand in the service data after the UUID: 14 bytes.
    public var bytes: [UInt8] { [EddystoneTelemetry.frameType, EddystoneTelemetry.version] + fields }
}
