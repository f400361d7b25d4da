import { contact } from './contact.ts'

export const HELD = `${contact.url}/held`

/** Time of the last note on a lead, in unix seconds. */
export interface Noted {
  readonly id: number
  readonly at: number
}

/** A lead leased by a colleague. */
export interface Held {
  readonly id: number
  /** Name of the leaseholder. */
  readonly by: string
}
