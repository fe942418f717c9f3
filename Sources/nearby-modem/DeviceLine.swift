import AudioIO
import CommandOutput

/// A device as lines for people or as JSON.
struct DeviceLine {
    var device: SoundDevice

    /// The device's name, and a line for each direction.
    var text: [String] {
        let words = device.words.isEmpty ? "" : "  \(device.words)"
        return ["\(device.name)\(device.isDefault ? " (default)" : "")\(words)"]
            + [("capture ", device.capture), ("playback", device.playback)].map {
                "    \($0.0)  \(DeviceLine.words($0.1))"
            }
    }

    private static func words(_ ability: SoundDevice.Ability) -> String {
        switch ability {
        case .free(let offer):
            let channels = offer.channelCounts
            let rates = offer.sampleRatesHz.map { "\($0)" }.joined(separator: " ")
            let encodings = offer.encodings.map(\.rawValue).joined(separator: " ")
            let counts =
                channels.count == 1
                ? "\(channels.lowerBound)" : "\(channels.lowerBound)–\(channels.upperBound)"
            return "free, \(rates.isEmpty ? "no usual rate" : "\(rates) Hz"), \(encodings), "
                + "\(counts) \(channels.upperBound == 1 ? "channel" : "channels")"
        case .busy: return "in use by another program"
        case .forbidden: return "no permission"
        case .absent(let why): return "none (\(why))"
        }
    }

    var json: String {
        var object = JSONObject()
        object.add("name", device.name)
        object.add("description", device.words)
        object.add("default", device.isDefault)
        for (direction, ability) in [("capture", device.capture), ("playback", device.playback)] {
            DeviceLine.add(ability, direction, to: &object)
        }
        return object.description
    }

    private static func add(
        _ ability: SoundDevice.Ability, _ direction: String, to object: inout JSONObject
    ) {
        let state =
            switch ability {
            case .free: "free"
            case .busy: "busy"
            case .forbidden: "forbidden"
            case .absent: "absent"
            }
        object.add(direction, state)
        guard case .free(let offer) = ability else { return }
        object.add("\(direction)RatesHz", offer.sampleRatesHz.map { "\($0)" })
        object.add("\(direction)Encodings", offer.encodings.map { JSONObject.quoted($0.rawValue) })
        object.add("\(direction)LeastChannels", offer.channelCounts.lowerBound)
        object.add("\(direction)MostChannels", offer.channelCounts.upperBound)
    }
}
