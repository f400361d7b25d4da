import * as crm from '#rooms/crm/offers.server.ts'
import type { Context } from '#server/behaviour.ts'

/** Last results of the notes that billing writes (specification, section 9). */
export const COUPON_CHANGED = 41
export const INSURANCE_SOLD = 42

/** A note on a contact, of the member of staff who acts. */
export async function noteOnContact(c: Context, contact: number, notes: string, lastResult: number): Promise<void> {
  await crm.noteOnContact(c, contact, { notes, lastResult })
}
