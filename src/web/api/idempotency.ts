/** A random key; `randomUUID` is not there on plain http. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('')

/** The key of a request: the same while the same thing is sent again, another once it has changed. */
export function idempotencyKeys(next: () => string = randomKey) {
  let of: string | undefined
  let key = ''
  return {
    keyFor: (body: unknown): string => {
      const text = JSON.stringify(body)
      if (text !== of) {
        of = text
        key = next()
      }
      return key
    },
    /** After success: the same values again would be another record. */
    forget: () => {
      of = undefined
    },
  }
}
