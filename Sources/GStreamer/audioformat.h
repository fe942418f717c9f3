/* The formats of both elements: those that the C library mixes. */
#ifndef NEARBY_AUDIO_FORMAT_H
#define NEARBY_AUDIO_FORMAT_H

#include <gst/audio/audio.h>
#include <nearby_modem.h>

/* Sample formats, rates and channel counts that the C library takes. */
#define NEARBY_AUDIO_CAPS                                                                  \
    "audio/x-raw, format = (string) { F32LE, S32LE, S24_32LE, S24LE, S16LE }, "            \
    "rate = (int) [ 8000, 384000 ], channels = (int) [ 1, 8 ], layout = (string) interleaved"

/* The C library's name of one of these formats. */
nbm_format nearby_audio_format(const GstAudioInfo *info);

/* A bit for each low-frequency channel, which no near-ultrasonic sound comes out of. */
guint32 nearby_low_frequency_channels(const GstAudioInfo *info);

#endif
