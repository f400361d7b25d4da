/** Version of the portal, as shown to users and API clients. */
export const PORTAL_VERSION = '0.1.0'
