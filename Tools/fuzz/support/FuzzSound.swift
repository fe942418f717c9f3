import AcousticModem

/// Random input as sound: any floats, and chunks of a size that the first of them chooses.
struct FuzzSound {
    let floats: [Float]
    let chunk: Int

    /// Nil where there is not one float.
    init?(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        floats = (0..<count / 4).map { index in
            Float(
                bitPattern: UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        }
        guard let first = floats.first else { return nil }
        chunk = 1 + Int(first.bitPattern % 5000)
    }

    /// The input again and again, `count` floats or a little less.
    func repeated(filling count: Int) -> [Float] {
        (0..<max(1, count / floats.count)).flatMap { _ in floats }
    }

    /// All that a receiver reports of a sound, to its end.
    func reports(of sound: [Float], from idle: Receiver) -> [DecodeReport] {
        var receiver = idle
        var reports: [DecodeReport] = []
        for start in stride(from: 0, to: sound.count, by: chunk) {
            reports += receiver.process(Array(sound[start..<min(start + chunk, sound.count)]))
        }
        return reports + receiver.finish()
    }
}
