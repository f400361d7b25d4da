/** Error code of Node or the operating system, such as `ENOENT`. */
export const codeOf = (e: unknown): unknown => (e instanceof Error && 'code' in e ? e.code : undefined)
