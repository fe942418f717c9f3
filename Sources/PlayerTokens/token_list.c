#include "token_list.h"

#include <stdio.h>
#include <string.h>

static int digit_value(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

/* Reads one token of `length` characters. */
static bool parse_token(struct token_list *list, const char *text, size_t length, char *error) {
    uint8_t *bytes = list->bytes[list->count];

    if (length == 0 || length % 2 != 0) {
        snprintf(error, TOKEN_ERROR_SIZE, "expected two hexadecimal digits for each byte of a token, such as 48656c6c6f, not '%.*s'",
                 (int)(length < 64 ? length : 64), text);
        return false;
    }
    if (length / 2 > NBM_MAX_TOKEN_BYTES) {
        snprintf(error, TOKEN_ERROR_SIZE, "expected a token of at most %d bytes, not %zu", NBM_MAX_TOKEN_BYTES, length / 2);
        return false;
    }
    for (size_t i = 0; i < length; i += 2) {
        int high = digit_value(text[i]), low = digit_value(text[i + 1]);
        if (high < 0 || low < 0) {
            snprintf(error, TOKEN_ERROR_SIZE, "expected hexadecimal digits for a token, such as 48656c6c6f, not '%.*s'",
                     (int)(length < 64 ? length : 64), text);
            return false;
        }
        bytes[i / 2] = (uint8_t)(high << 4 | low);
    }
    list->byte_count[list->count++] = length / 2;
    return true;
}

bool token_list_parse(struct token_list *list, const char *text, char error[TOKEN_ERROR_SIZE]) {
    list->count = 0;
    if (!text || !*text) return true;
    for (;;) {
        size_t length = strcspn(text, ",");
        if (list->count == TOKEN_LIST_LIMIT) {
            snprintf(error, TOKEN_ERROR_SIZE, "expected at most %d tokens that take turns", TOKEN_LIST_LIMIT);
            return false;
        }
        if (!parse_token(list, text, length, error)) return false;
        if (!text[length]) return true;
        text += length + 1;
    }
}

void token_write_hex(const uint8_t *bytes, size_t byte_count, char *text) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < byte_count; i++) {
        *text++ = digits[bytes[i] >> 4];
        *text++ = digits[bytes[i] & 15];
    }
    *text = 0;
}
