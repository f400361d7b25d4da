import { type Field, isWritable } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'

/** Converts `HazardGroup` to `hazardGroup`, a class's key in the entrypoint. */
export const lowerFirst = (s: string): string => s.charAt(0).toLowerCase() + s.slice(1)

/** Public fields, without internal ones. */
export const publicFields = (r: Pick<Resource, 'fields'>): [string, Field][] =>
  Object.entries<Field>(r.fields).filter(([, f]) => f.visible !== 'nobody')

/** True if a body can set this field. */
export const isWritableInBody = (r: Pick<Resource, 'allow'>, f: Field): boolean =>
  isWritable(f) && (r.allow.create !== undefined || r.allow.update !== undefined)

export const targetResourceOf = (f: Field): Resource => (f.target as () => Resource)()
