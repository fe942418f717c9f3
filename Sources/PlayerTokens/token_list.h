/* Tokens as text: hexadecimal digits as on the command line, several separated by commas. */
#ifndef TOKEN_LIST_H
#define TOKEN_LIST_H

#include <nearby_modem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* The most tokens that take turns in a mixer of the C library. */
    TOKEN_LIST_LIMIT = 64,
    /* Room for an error in words. */
    TOKEN_ERROR_SIZE = 512,
};

/* Tokens that take turns, frame by frame. An empty list means silence. */
struct token_list {
    size_t count;
    size_t byte_count[TOKEN_LIST_LIMIT];
    uint8_t bytes[TOKEN_LIST_LIMIT][NBM_MAX_TOKEN_BYTES];
};

/* Reads the text. NULL and "" give an empty list. Returns false, with the reason in `error`, for anything that is not
 * a list of tokens. */
bool token_list_parse(struct token_list *list, const char *text, char error[TOKEN_ERROR_SIZE]);

/* Writes one token as hexadecimal digits. `text` has room for 2 * byte_count + 1 characters. */
void token_write_hex(const uint8_t *bytes, size_t byte_count, char *text);

#endif
