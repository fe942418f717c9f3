#include "tokencontrol.h"

/* Makes a mixer for a format that the settings before did not fit, with the lock held. Sound passes without it if these
 * do not fit, either, which was told when the format was set. */
static void try_mixer(NearbyToken *self) {
    char error[TOKEN_ERROR_SIZE];

    if (self->format.channel_count == 0) return;
    self->mixer = player_mixer_create(&self->format, &self->settings, error);
    gst_base_transform_set_passthrough(GST_BASE_TRANSFORM(self), !self->mixer);
}

/* Sends by these settings, with the lock held. */
static gboolean use_settings(NearbyToken *self, const struct token_settings *settings, char *error) {
    if (self->mixer && !player_mixer_change(self->mixer, settings, error)) return FALSE;
    self->settings = *settings;
    if (!self->mixer) try_mixer(self);
    return TRUE;
}

/* What the box told, at the level of the properties. */
static struct token_settings settings_of_box(NearbyToken *self, nbm_level level) {
    struct token_settings settings = self->told;
    settings.level = level;
    return settings;
}

gboolean nearby_token_read_properties(NearbyToken *self, char *error) {
    struct token_settings settings;

    if (!token_properties_read(&self->properties, &settings, error)) return FALSE;
    if (self->properties.socket && settings.tokens.count > 0) {
        g_snprintf(error, TOKEN_ERROR_SIZE, "expected either a token or a socket that tells it, not both");
        return FALSE;
    }
    if (self->properties.socket) settings = settings_of_box(self, settings.level);
    if (!use_settings(self, &settings, error)) return FALSE;
    token_properties_copy(&self->used, &self->properties);
    return TRUE;
}

static void warn_of_box(void *context, const char *words) {
    GST_ELEMENT_WARNING(NEARBY_TOKEN(context), RESOURCE, READ, ("%s", words), (NULL));
}

static void take_from_box(void *context, const struct token_settings *told) {
    NearbyToken *self = NEARBY_TOKEN(context);
    struct token_settings settings;
    char error[TOKEN_ERROR_SIZE] = "";

    g_mutex_lock(&self->lock);
    self->told = *told;
    settings = settings_of_box(self, self->settings.level);
    use_settings(self, &settings, error);
    g_mutex_unlock(&self->lock);
    GST_DEBUG_OBJECT(self, "the box tells to send %" G_GSIZE_FORMAT " tokens by %s", told->tokens.count, told->profile);
    if (*error) warn_of_box(context, error);
}

gboolean nearby_token_follow(NearbyToken *self, const gchar *socket, char *error) {
    self->follower = token_follower_start(socket, take_from_box, warn_of_box, self, error);
    return self->follower != NULL;
}
