#include "audioformat.h"

nbm_format nearby_audio_format(const GstAudioInfo *info) {
    switch (GST_AUDIO_INFO_FORMAT(info)) {
    case GST_AUDIO_FORMAT_S16LE: return NBM_FORMAT_S16;
    case GST_AUDIO_FORMAT_S24LE: return NBM_FORMAT_S24_PACKED;
    case GST_AUDIO_FORMAT_S24_32LE: return NBM_FORMAT_S24;
    case GST_AUDIO_FORMAT_S32LE: return NBM_FORMAT_S32;
    case GST_AUDIO_FORMAT_F32LE: return NBM_FORMAT_FLOAT;
    default: g_return_val_if_reached(NBM_FORMAT_S16);
    }
}

guint32 nearby_low_frequency_channels(const GstAudioInfo *info) {
    guint32 bits = 0;

    if (GST_AUDIO_INFO_IS_UNPOSITIONED(info)) return 0;
    for (gint channel = 0; channel < GST_AUDIO_INFO_CHANNELS(info); channel++) {
        GstAudioChannelPosition position = GST_AUDIO_INFO_POSITION(info, channel);
        if (position == GST_AUDIO_CHANNEL_POSITION_LFE1 || position == GST_AUDIO_CHANNEL_POSITION_LFE2) bits |= 1u << channel;
    }
    return bits;
}
