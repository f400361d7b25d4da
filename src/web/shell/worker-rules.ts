/** What the server answers itself: never from the device's store. */
export const isApi = (path: string): boolean => /^\/(api|healthz|readyz)(\/|$)/.test(path)

/** Files with their content's hash in their name. */
export const isAsset = (path: string): boolean => /^\/assets\/[^/]+$/.test(path)
