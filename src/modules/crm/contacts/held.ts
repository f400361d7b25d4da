import { contact } from './contact.ts'

/** The address of what colleagues are working just now. */
export const HELD = `${contact.url}/held`

/** When something was last told of a lead, in unix seconds. */
export interface Noted {
  readonly id: number
  readonly at: number
}

/** A lead that nobody else rings for the time being. */
export interface Held {
  readonly id: number
  /** The name of whoever works it. */
  readonly by: string
}
