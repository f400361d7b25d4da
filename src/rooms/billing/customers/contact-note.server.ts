import { author } from '#kernel/roles.ts'
import { note } from '#rooms/crm/contacts/note.ts'
import type { Context } from '#server/behaviour.ts'

/** Last results of the notes that billing writes (specification, section 9). */
export const COUPON_CHANGED = 41
export const INSURANCE_SOLD = 42

/** A note on a contact, of the member of staff who acts. */
export async function noteOnContact(
  { work, actor }: Pick<Context, 'work' | 'actor'>,
  contact: number,
  notes: string,
  lastResult: number,
): Promise<void> {
  const { username } = author(actor)
  const [staff] = await work.tx.rows<{ id: number }>(
    'SELECT id FROM staff WHERE client_id = $1 AND lower(username) = lower($2)',
    [work.clientId, username],
  )
  work.create(note, { contact, user: staff?.id ?? null, author: username, notes, lastResult })
}
