import type { Resource } from './resource.ts'

/** What is worked out from a declaration alone: once for each, however many requests ask. */
export function perResource<T>(make: (r: Resource) => T): (r: Resource) => T {
  const known = new WeakMap<Resource, { readonly made: T }>()
  return (r) => {
    const found = known.get(r) ?? { made: make(r) }
    known.set(r, found)
    return found.made
  }
}
