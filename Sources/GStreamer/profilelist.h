/* The profiles that a receiver listens for, as text. */
#ifndef NEARBY_PROFILE_LIST_H
#define NEARBY_PROFILE_LIST_H

#include <glib.h>

#include "token_settings.h"

/* Reads names, separated by commas; "auto" stands for all but dsss-wide. Returns NULL, with the reason in `error`, if
 * there is no such profile; otherwise a NULL-terminated array for g_strfreev(). */
gchar **profile_list_parse(const gchar *text, char error[TOKEN_ERROR_SIZE]);

/* Returns FALSE, with the reason in `error`, if the rate is too low for one of the profiles. */
gboolean profile_list_check_rate(gchar **names, guint sample_rate_hz, char error[TOKEN_ERROR_SIZE]);

#endif
