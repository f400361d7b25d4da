/** What Node and the system call an error: `ENOENT`. */
export const codeOf = (e: unknown): unknown => (e instanceof Error && 'code' in e ? e.code : undefined)
