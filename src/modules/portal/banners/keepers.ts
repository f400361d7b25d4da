/** Who keeps the banners: whoever speaks to all clients. */
export const BANNER_KEEPERS = 'ROLE_CLIENTS_ADMIN'
