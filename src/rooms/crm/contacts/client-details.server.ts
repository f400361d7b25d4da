import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import { author, PROVIDER } from '#kernel/roles.ts'
import { crmClient } from '#rooms/portal/clients/client.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { listener } from '#server/engine/listener.ts'
import { staffOf } from '../staff/staff.server.ts'
import { contact } from './contact.ts'
import { noteOnContact } from './note.server.ts'
import { EDITED } from './outcomes.ts'

const person = z.object({ userId: z.int(), clientId: z.int(), username: z.string(), name: z.string() })
const older = z.object({ client: z.int(), author: z.string() })

const clientDetailsEdited = defineEvent({
  kind: 'crm.client details',
  version: 2,
  payload: z.object({ client: z.int(), by: person }),
  // The first version kept the name only: its notes are signed by it, and shown under nobody.
  upgrade: {
    1: (stored) => {
      const { client, author } = older.parse(stored)
      return { client, by: { userId: 0, clientId: PROVIDER, username: author, name: author } }
    },
  },
})

/**
 * Staff who change a client's details leave a note with the contact it belongs to (specification, section 4). The contact
 * is the provider's and the client's row its own, so the note follows once the change is committed.
 */
export const clientDetails = behaviour(crmClient, {
  saved: async (c) => {
    if (!c.before) return
    const by = author(c.actor)
    await c.after(clientDetailsEdited, { client: c.before.id, by: person.parse(by) })
  },
})

export const clientDetailsNote = listener(clientDetailsEdited, {
  name: 'crm.client-details-note',
  lane: 'events',
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
