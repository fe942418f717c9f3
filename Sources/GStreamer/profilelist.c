#include "profilelist.h"

static gchar **all_but_wide(void) {
    nbm_profile profile = NBM_PROFILE_INIT;
    GPtrArray *names = g_ptr_array_new();

    /* The last one is dsss-wide, which is heard only where it is named. */
    for (gsize i = 0; i + 1 < nbm_profile_count() && nbm_profile_at(i, &profile) == NBM_OK; i++)
        g_ptr_array_add(names, g_strdup(profile.name));
    g_ptr_array_add(names, NULL);
    return (gchar **)g_ptr_array_free(names, FALSE);
}

gchar **profile_list_parse(const gchar *text, char error[TOKEN_ERROR_SIZE]) {
    nbm_profile profile = NBM_PROFILE_INIT;
    gchar **names;

    if (g_strcmp0(text, "auto") == 0) return all_but_wide();
    names = g_strsplit(text && *text ? text : " ", ",", 0);
    for (gchar **name = names; *name; name++)
        if (!profile_find(*name, &profile, error)) {
            g_strfreev(names);
            return NULL;
        }
    return names;
}

gboolean profile_list_check_rate(gchar **names, guint sample_rate_hz, char error[TOKEN_ERROR_SIZE]) {
    nbm_profile profile = NBM_PROFILE_INIT;

    for (; *names; names++)
        if (!profile_find(*names, &profile, error) || !profile_check_rate(&profile, sample_rate_hz, error)) return FALSE;
    return TRUE;
}
