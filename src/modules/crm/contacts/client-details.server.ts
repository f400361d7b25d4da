import { PROVIDER } from '#kernel/roles.ts'
import { clientDetailsEdited } from '#modules/portal/clients/details-edited.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { EDITED } from '../outcomes/decide.ts'
import { staffOf } from '../staff/staff.server.ts'
import { contact } from './contact.ts'
import { noteOnContact } from './note.server.ts'

/**
 * Staff who change a client's details leave a note with the contact it belongs to (specification, section 4). The contact
 * is the provider's and the client's row its own, so the note follows once the change is committed.
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
      lastResult: EDITED,
      author: by.username,
      user: (await staffOf(c, by)) ?? null,
    }
    for (const { id } of about) await noteOnContact(c, id, note)
  },
})
