import type { Iri } from '#kernel/fields.ts'
import { contact } from '../contacts/contact.ts'

/** The address at which leads are given out. */
export const ASSIGN = `${contact.url}/assign`

/** What giving leads out comes to, before it is done. */
export interface AssignPlan {
  readonly found: number
  readonly people: readonly {
    readonly '@id': Iri
    readonly name: string
    /** How many leads they have, and how many they work at most. */
    readonly open: number
    readonly most: number | null
    readonly gets: number
  }[]
  /** Who gets none, because they are away. */
  readonly away: readonly { readonly '@id': Iri; readonly name: string; readonly until: string }[]
  /** Leads for which nobody has module. */
  readonly left: number
}
