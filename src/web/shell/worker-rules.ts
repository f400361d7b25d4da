/** True for addresses that only the server answers, never the cache. */
export const isApi = (path: string): boolean => /^\/(api|healthz|readyz)(\/|$)/.test(path)

/** True for files with a content hash in their name. */
export const isAsset = (path: string): boolean => /^\/assets\/[^/]+$/.test(path)
