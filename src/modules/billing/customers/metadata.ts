import { type Violation, violation } from '#kernel/errors.ts'

/** Metadata of a customer; all values are text, as the specification's clients send them (section 3). */
export interface CustomerMetadata {
  owner?: string
  createdBy?: string
  contact_uri?: string
  contact_id?: string | number
  client_id?: string | number
  telephone?: string
  company_name?: string
  contact_name?: string
  [other: string]: unknown
}

const MOST_KEYS = 50
const MOST_CHARACTERS = 500

/** Validates metadata from a request: a flat object of short texts and numbers. */
export function validateMetadata(value: unknown): Violation[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [violation('metadata', 'The metadata must be an object such as {"company_name": "Acme Ltd"}')]
  const entries = Object.entries(value)
  if (entries.length > MOST_KEYS) return [violation('metadata', `The metadata can have at most ${MOST_KEYS} entries`)]
  return entries.flatMap(([key, v]) =>
    v === null || ['number', 'boolean'].includes(typeof v) || (typeof v === 'string' && v.length <= MOST_CHARACTERS)
      ? []
      : [
          violation(
            `metadata.${key.slice(0, 40)}`,
            `This must be a text of at most ${MOST_CHARACTERS} characters, or a number`,
          ),
        ],
  )
}

/** True if both have the same entries in any order. */
export const sameMetadata = (a: unknown, b: unknown): boolean => inOrder(a) === inOrder(b)
const inOrder = (v: unknown) => JSON.stringify(Object.entries(v ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)))
