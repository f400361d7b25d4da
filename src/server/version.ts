/** The version of the portal, as people and clients of the API are told it. */
export const VERSION = '0.1.0'
