/* The properties of nearbytoken, and the settings that they make. */
#ifndef NEARBY_TOKEN_PROPERTIES_H
#define NEARBY_TOKEN_PROPERTIES_H

#include <glib-object.h>

#include "token_settings.h"

enum {
    PROP_0,
    PROP_TOKEN,
    PROP_PROFILE,
    PROP_LEVEL,
    PROP_MIN_LEVEL,
    PROP_RELATIVE_LEVEL,
    PROP_LANE,
    PROP_EVERY,
    PROP_JITTER,
    PROP_SOCKET,
    PROP_STATS,
};

/* What the properties say. The texts are as they were set, and may be wrong. */
typedef struct {
    gchar *token;
    gchar *profile;
    gdouble level;
    gdouble min_level;
    gdouble relative_level;
    guint lane;
    gdouble every;
    gdouble jitter;
    gchar *socket;
} TokenProperties;

void token_properties_init(TokenProperties *properties);
void token_properties_clear(TokenProperties *properties);
/* Makes `to` the same as `from`. */
void token_properties_copy(TokenProperties *to, const TokenProperties *from);

void token_properties_install(GObjectClass *class);
/* Returns FALSE for a property that is not one of these. */
gboolean token_properties_set(TokenProperties *properties, guint id, const GValue *value);
gboolean token_properties_get(const TokenProperties *properties, guint id, GValue *value);

/* Tokens as the property has them; free it. */
gchar *token_list_text(const struct token_list *tokens);

/* Reads them. Returns FALSE, with the reason in `error`, if one of them is wrong, or does not fit another one. */
gboolean token_properties_read(const TokenProperties *properties, struct token_settings *settings,
                               char error[TOKEN_ERROR_SIZE]);

#endif
