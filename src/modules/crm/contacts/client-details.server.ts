import { PROVIDER } from '#kernel/roles.ts'
import { clientDetailsEdited } from '#modules/portal/clients/details-edited.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { RESULT_EDITED } from '../outcomes/decide.ts'
import { ensureStaffId } from '../staff/staff.server.ts'
import { contact } from './contact.ts'
import { noteOnContact } from './note.server.ts'

/**
 * Adds a note to the contact of a client when staff change its details (specification, section 4). The contact belongs
 * to the provider and the row to the client, so the note is added after the commit.
 */
export const clientDetailsNote = eventHandler(clientDetailsEdited, {
  name: 'crm.client-details-note',
  queue: 'events',
  inClient: PROVIDER,
  run: async (c, { client, by }) => {
    const about = await c.find(contact, { client, retired: false })
    if (!about.length) return
    const note = {
      notes: 'Updated Client details',
      lastResult: RESULT_EDITED,
      author: by.username,
      user: (await ensureStaffId(c, by)) ?? null,
    }
    for (const { id } of about) await noteOnContact(c, id, note)
  },
})
