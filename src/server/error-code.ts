/** Returns the error code that Node or the operating system set, such as `ENOENT`. */
export const systemErrorCode = (e: unknown): unknown => (e instanceof Error && 'code' in e ? e.code : undefined)
