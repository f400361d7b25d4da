import { contact } from './contact.ts'

export const HELD_LEADS_URL = `${contact.url}/held`

/** Time of the last note on a lead, in unix seconds. */
export interface LeadNoteTime {
  readonly id: number
  readonly at: number
}

/** A lead leased by a colleague. */
export interface LeadHold {
  readonly id: number
  /** Name of the leaseholder. */
  readonly by: string
}
