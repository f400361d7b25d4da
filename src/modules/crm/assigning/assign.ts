import type { Iri } from '#kernel/fields.ts'
import { contact } from '../contacts/contact.ts'

export const ASSIGN_LEADS_URL = `${contact.url}/assign`

export interface LeadAssignmentPreview {
  readonly found: number
  readonly people: readonly {
    readonly '@id': Iri
    readonly name: string
    /** Number of open leads that the person has, and the maximum they may have. */
    readonly open: number
    readonly most: number | null
    readonly gets: number
  }[]
  /** Absent staff, who get no leads. */
  readonly away: readonly { readonly '@id': Iri; readonly name: string; readonly until: string }[]
  /** Number of leads for which nobody has capacity. */
  readonly left: number
}
