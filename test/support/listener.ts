type Body = Record<string, unknown>

/**
 * Records the names of properties that code reads from a value, to a depth of two, such as `signature` and
 * `signature.name`.
 */
export class PropertyRecorder {
  readonly heard = new Set<string>()

  /** Returns the same value, with its property access recorded. */
  listen<T extends object>(value: T, prefix = ''): T {
    const hear = (key: string | symbol) => {
      if (typeof key === 'string' && !/^\d+$|^toJSON$/.test(key)) this.heard.add(prefix + key)
    }
    return new Proxy(value, {
      has: (it, key) => {
        hear(key)
        return Reflect.has(it, key)
      },
      get: (it, key) => {
        const inner: unknown = Reflect.get(it, key)
        const own = Object.hasOwn(it, key)
        if (own || inner === undefined) hear(key)
        if (!own || typeof inner !== 'object' || inner === null) return inner
        return this.listen(inner, Array.isArray(it) ? prefix : `${prefix}${String(key)}.`)
      },
    })
  }

  /** Builds a body that contains this value under every recorded name. */
  body(value: unknown): Body {
    const body: Body = {}
    for (const name of [...this.heard].sort()) {
      const [outer = '', inner] = name.split('.')
      if (inner === undefined) body[outer] = value
      else if (typeof value === 'string') body[outer] = { ...(body[outer] as Body), [inner]: value }
    }
    return body
  }
}
