/** Role that manages the banners: the one that addresses all clients. */
export const BANNER_MANAGER = 'ROLE_CLIENTS_ADMIN'
