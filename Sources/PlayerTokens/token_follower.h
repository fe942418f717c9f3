/* Follows the tokens of a box on this machine, by a thread that reads the socket `token.socket` of its nearby-stb. */
#ifndef TOKEN_FOLLOWER_H
#define TOKEN_FOLLOWER_H

#include "token_settings.h"

struct token_follower;

/* Is told, on the follower's thread, what is to be sent from now on; the level is the default. */
typedef void (*token_follower_take)(void *context, const struct token_settings *settings);
/* Is told, on the follower's thread, in words what is wrong, once for each time that it goes wrong. */
typedef void (*token_follower_warn)(void *context, const char *words);

/*
 * Begins to follow. While there is no box, nothing is to be sent: a token belongs to the box that runs, and whoever
 * heard an old one would find nobody. It tries once a second until there is one.
 *
 * Returns NULL, with the reason in `error`, if the path is too long for a socket, or there is no thread to be had.
 */
struct token_follower *token_follower_start(const char *path, token_follower_take take, token_follower_warn warn,
                                            void *context, char error[TOKEN_ERROR_SIZE]);

/* Ends it; then neither function is called any more. NULL is no mistake. */
void token_follower_stop(struct token_follower *follower);

#endif
