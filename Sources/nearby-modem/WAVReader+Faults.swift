import AudioIO
import CommandOutput

extension WAVReader {
    /// Reports the recording's faults on standard error, one line for each. It is called when reading has
    /// ended.
    func reportFaults() {
        for remark in remarks { StandardError.write("\(path): \(remark)") }
        guard replacedSampleCount > 0 else { return }
        StandardError.write(
            "\(path): \(replacedSampleCount) samples were not numbers and were read as silence")
    }
}
