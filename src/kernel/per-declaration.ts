import type { Resource } from './resource.ts'

/**
 * Returns a function that derives a value from a declaration or a part of one. The value is computed once for each
 * declaration and then cached.
 */
export function cachePerDeclaration<D extends object, T>(make: (of: D) => T): (of: D) => T {
  const known = new WeakMap<D, { readonly made: T }>()
  return (of) => {
    const found = known.get(of)
    if (found) return found.made
    const made = make(of)
    known.set(of, { made })
    return made
  }
}

/** Same as `cachePerDeclaration`, for values derived from a resource. */
export const cachePerResource = <T>(make: (r: Resource) => T): ((r: Resource) => T) => cachePerDeclaration(make)
