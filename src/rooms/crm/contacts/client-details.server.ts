import { author } from '#kernel/roles.ts'
import { crmClient } from '#rooms/portal/clients/client.ts'
import { behaviour, type Job } from '#server/behaviour.ts'
import { EDITED } from './outcomes.ts'

const KIND = 'crm.client details'

/**
 * Staff who change a client's details leave a note with the contact it belongs to (specification, section 4). The contact
 * is the provider's and the client's row its own, so the note follows once the change is committed.
 */
export const clientDetails = behaviour(crmClient, {
  saved: async ({ before, actor, work }) => {
    if (before) await work.after(KIND, { client: before.id, author: author(actor).username })
  },
})

export const clientDetailsNote: Job = {
  kind: KIND,
  run: async (engine, payload) => {
    await engine.db.tx('system', (tx) =>
      tx.rows(
        `INSERT INTO note (client_id, contact_id, user_id, author, notes, last_result_id)
         SELECT c.client_id, c.id, s.id, $2, 'Updated Client details', $3 FROM contact c
         LEFT JOIN staff s ON s.client_id = c.client_id AND lower(s.username) = lower($2)
         WHERE c.account_id = $1 AND NOT c.retired`,
        [payload.client, payload.author, EDITED],
      ),
    )
  },
}
