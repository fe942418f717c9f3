// Names are C's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AcousticModem
import CNearbyModem

@c @implementation public func nbm_alsa_play(
    _ mixer: OpaquePointer?, _ device: UnsafePointer<CChar>?, _ keepGoing: nbm_keep_going?,
    _ context: UnsafeMutableRawPointer?
) -> nbm_result {
    guard let mixer else { return NBM_ERROR_NULL }
    let object = MixerObject.at(mixer).takeUnretainedValue()
    return object.lastError.result { () throws(Refusal) in
        let device = try ALSADevice(
            try text(device, or: "default", "device"), stream: ALSALibrary.playback, format: object.nbmFormat,
            channelCount: object.mixer.channelCount, sampleRateHz: object.sampleRateHz,
            frameBytes: object.frameBytes, bufferMicroseconds: 100_000)
        func period() throws(Refusal) {
            try device.play(object.frameBytes) { object.mixer.fill($0, count: $1) }
        }
        while keepGoing?(context) != 0, !object.mixer.isOver { try period() }
        // A frame under way fades out within the first of these.
        object.mixer.fadeNow()
        for _ in 0..<2 { try period() }
        device.drain()
    }
}

@c @implementation public func nbm_alsa_listen(
    _ receiver: OpaquePointer?, _ device: UnsafePointer<CChar>?, _ onToken: nbm_on_token?,
    _ keepGoing: nbm_keep_going?, _ context: UnsafeMutableRawPointer?
) -> nbm_result {
    guard let receiver else { return NBM_ERROR_NULL }
    let object = ReceiverObject.at(receiver).takeUnretainedValue()
    return object.lastError.result { () throws(Refusal) in
        var device = try ALSADevice(
            try text(device, or: "default", "device"), stream: ALSALibrary.capture, format: object.nbmFormat,
            channelCount: object.channelCount, sampleRateHz: object.sampleRateHz,
            frameBytes: object.frameBytes, bufferMicroseconds: 500_000)
        let listener = TokenListener(callback: onToken, context: context)
        while keepGoing?(context) != 0 {
            try device.capture { (frames, count, missing) throws(Refusal) in
                if missing > 0 { try object.skip(UInt64(missing), listener) }
                try object.push(frames, count, listener)
            }
        }
    }
}
