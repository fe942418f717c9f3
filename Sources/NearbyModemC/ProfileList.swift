// Names are C's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AcousticModem
import CNearbyModem

/// The profiles that identify themselves on air, the default first, and last those that others may not listen
/// for.
enum ProfileList {
    static var all: [WaveformProfile] {
        [.dsss] + WaveformProfile.all.filter { !$0.isNamed(WaveformProfile.dsss.name) } + [.dsssWide]
    }

    static func describe(_ profile: WaveformProfile, in place: UnsafeMutablePointer<nbm_profile>?)
        throws(Refusal)
    {
        var description = nbm_profile()
        withUnsafeMutableBytes(of: &description.name) { room in
            // The rest is zero.
            for (place, byte) in zip(0..<room.count - 1, profile.name.utf8) { room[place] = byte }
        }
        description.band_low_hz = profile.bandHz.lowerBound
        description.band_high_hz = profile.bandHz.upperBound
        description.seconds_on_air = profile.durationSeconds()
        description.min_token_bytes = UInt32(profile.tokenByteCounts.lowerBound)
        description.max_token_bytes = UInt32(profile.tokenByteCounts.upperBound)
        description.min_sample_rate_hz = UInt32(profile.minimumSampleRateHz.rounded(.up))
        description.is_checked = profile.isChecked ? 1 : 0
        try Structure.write(description, to: place, "profile")
    }
}

@c @implementation public func nbm_profile_count() -> Int { ProfileList.all.count }

@c @implementation public func nbm_profile_at(
    _ index: Int, _ profile: UnsafeMutablePointer<nbm_profile>?
) -> nbm_result {
    result { () throws(Refusal) in
        let all = ProfileList.all
        guard all.indices.contains(index) else {
            throw Refusal(NBM_ERROR_PROFILE, "there are \(all.count) profiles")
        }
        try ProfileList.describe(all[index], in: profile)
    }
}

@c @implementation public func nbm_profile_named(
    _ name: UnsafePointer<CChar>?, _ profile: UnsafeMutablePointer<nbm_profile>?
) -> nbm_result {
    result { () throws(Refusal) in
        guard let name else { throw .null("name") }
        try ProfileList.describe(try SoundOptions.profile(name), in: profile)
    }
}
