/** Returns true if requests for a path must be answered by the server, never from the cache. */
export const isApiPath = (path: string): boolean => /^\/(api|healthz|readyz)(\/|$)/.test(path)

/** Returns true if a path is a file with a content hash in its name. */
export const isAssetPath = (path: string): boolean => /^\/assets\/[^/]+$/.test(path)
