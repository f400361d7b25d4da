/** Returns a random key. `randomUUID` can't be used, because it is not available over plain HTTP. */
export const createRandomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('')

/** Creates the idempotency keys for one form. The key stays the same until the request body changes. */
export function createIdempotencyKeys(next: () => string = createRandomKey) {
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
    /** Discards the key. Call this after success. Sending the same values again then creates another record. */
    forget: () => {
      of = undefined
    },
  }
}
