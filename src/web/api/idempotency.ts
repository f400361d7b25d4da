/** A random key; `randomUUID` is not available on plain http. */
export const createRandomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('')

/** Idempotency keys of one form: the key stays the same until the body changes. */
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
    /** Call after success: sending the same values again should create another record. */
    forget: () => {
      of = undefined
    },
  }
}
