/*
 * A line by which a box tells players what to send from now on, on the socket `token.socket` of nearby-stb:
 *
 *     send profile=dsss lane=2 every=0 jitter=0 tokens=0123456789abcdef
 *     silent
 */
#ifndef PLAYER_LINE_H
#define PLAYER_LINE_H

#include "token_settings.h"

enum {
    /* Longer lines are none: 64 tokens of 140 bytes, and what precedes them. */
    PLAYER_LINE_SIZE = 2 * TOKEN_LIST_LIMIT * (NBM_MAX_TOKEN_BYTES + 1) + 256,
};

/* Reads a line without its end, which is changed. Words that are not known are passed over. The level stays. Returns
 * false, with the reason in `error`, for anything else; `settings` are then undefined. */
bool player_line_parse(char *line, struct token_settings *settings, char error[TOKEN_ERROR_SIZE]);

#endif
