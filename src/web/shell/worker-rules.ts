/** Whether only the server may respond to requests for a path, and never the cache. */
export const isApiPath = (path: string): boolean => /^\/(api|healthz|readyz)(\/|$)/.test(path)

/** Whether a path is a file with a content hash in its name. */
export const isAssetPath = (path: string): boolean => /^\/assets\/[^/]+$/.test(path)
