import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import { author, PROVIDER } from '#kernel/roles.ts'
import { crmClient } from '#rooms/portal/clients/client.ts'
import { behaviour } from '#server/behaviour.ts'
import { listener } from '#server/runs/listener.ts'
import { EDITED } from './outcomes.ts'

const clientDetailsEdited = defineEvent({
  kind: 'crm.client details',
  version: 1,
  payload: z.object({ client: z.int(), author: z.string() }),
})

/**
 * Staff who change a client's details leave a note with the contact it belongs to (specification, section 4). The contact
 * is the provider's and the client's row its own, so the note follows once the change is committed.
 */
export const clientDetails = behaviour(crmClient, {
  saved: async (c) => {
    if (c.before) await c.after(clientDetailsEdited, { client: c.before.id, author: author(c.actor).username })
  },
})

export const clientDetailsNote = listener(clientDetailsEdited, {
  name: 'crm.client-details-note',
  lane: 'events',
  inClient: PROVIDER,
  run: async ({ work }, edited) => {
    await work.tx.rows(
      `INSERT INTO note (client_id, contact_id, user_id, author, notes, last_result_id)
       SELECT c.client_id, c.id, s.id, $3, 'Updated Client details', $4 FROM contact c
       LEFT JOIN staff s ON s.client_id = c.client_id AND lower(s.username) = lower($3)
       WHERE c.client_id = $1 AND c.account_id = $2 AND NOT c.retired`,
      [work.clientId, edited.client, edited.author, EDITED],
    )
    work.touched.add('note')
  },
})
