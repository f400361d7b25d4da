import { contact } from './contact.ts'

/** The address of what colleagues are working just now. */
export const HELD = `${contact.url}/held`

/** A lead that nobody else rings for the time being. */
export interface Held {
  readonly id: number
  /** The name of whoever works it. */
  readonly by: string
}
