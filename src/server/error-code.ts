/** Error code of Node or the operating system, such as `ENOENT`. */
export const systemErrorCode = (e: unknown): unknown => (e instanceof Error && 'code' in e ? e.code : undefined)
