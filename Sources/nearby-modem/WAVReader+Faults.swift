import AudioIO
import CommandOutput

extension WAVReader {
    /// Says on standard error what was wrong with the recording: a line for each fault. Called when reading has ended.
    func reportFaults() {
        for remark in remarks { StandardError.write("\(path): \(remark)") }
        guard replacedSampleCount > 0 else { return }
        StandardError.write("\(path): \(replacedSampleCount) samples were not numbers; read as silence")
    }
}
