import type { Resource } from './resource.ts'

/** Caches a value that is derived from a declaration or a part of a declaration, so that it is computed only once. */
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

/** Caches a value that is derived from a resource. */
export const cachePerResource = <T>(make: (r: Resource) => T): ((r: Resource) => T) => cachePerDeclaration(make)
