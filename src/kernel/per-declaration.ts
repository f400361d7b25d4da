import type { Resource } from './resource.ts'

/** What is worked out from a declaration, or a part of one, alone: once for each, however many requests ask. */
export function perDeclaration<D extends object, T>(make: (of: D) => T): (of: D) => T {
  const known = new WeakMap<D, { readonly made: T }>()
  return (of) => {
    const found = known.get(of)
    if (found) return found.made
    const made = make(of)
    known.set(of, { made })
    return made
  }
}

/** The same of a resource. */
export const perResource = <T>(make: (r: Resource) => T): ((r: Resource) => T) => perDeclaration(make)
