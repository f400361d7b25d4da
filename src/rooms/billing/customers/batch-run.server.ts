import { z } from 'zod'
import { Problem } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { type Actor, readScopes } from '#kernel/roles.ts'
import { client } from '#rooms/portal/clients/client.ts'
import type { Sent } from '#server/data/plan.ts'
import type { Engine } from '#server/engine.ts'
import { putEvent } from '#server/runs/put.ts'
import { customer } from './customer.ts'
import { fromBoth, leadOf } from './customer-from.server.ts'

const PAGE = 50

interface Batch {
  readonly id: number
  readonly dry_run: boolean
  readonly last_client: number
  readonly user_id: number | null
}

/** The next page of a run is to be done. */
export const batchDue = defineEvent({
  kind: 'billing.customer batch',
  version: 1,
  payload: z.object({ batch: z.int() }),
})

/**
 * Makes customers of the next page of clients that have none, and asks for the page after it: a long run holds up nobody's
 * letters. Its place is kept after every client, so that after a stop or a crash it goes on from there.
 */
export async function runBatch(engine: Engine, clientId: number, id: number): Promise<void> {
  const batch = await begin(engine, clientId, id)
  if (!batch) return
  try {
    const actor = await actorOf(engine, clientId, batch.user_id)
    const page = await clientsAfter(engine, clientId, batch.last_client)
    for (const row of page) {
      const message = await one(engine, actor, row, batch)
      if (!(await advance(engine, clientId, batch.id, row, message))) return
    }
    if (page.length < PAGE) await settle(engine, clientId, id, 'finished', null)
    else await follow(engine, clientId, id)
  } catch (e) {
    await settle(
      engine,
      clientId,
      id,
      'failed',
      'Something went wrong on our side. What was made is safe: go on where it stopped.',
    )
    console.error(`customer batch ${id}:`, e)
  }
}

async function follow(engine: Engine, clientId: number, id: number): Promise<void> {
  await engine.db.tx('system', (tx) => putEvent(engine, tx, clientId, batchDue, { batch: id }))
  engine.tell(new Set(['outbox']))
}

const begin = (engine: Engine, clientId: number, id: number): Promise<Batch | undefined> =>
  engine.db.tx('system', async (tx) => {
    const [batch] = await tx.rows<Batch>(
      `UPDATE customer_batch b SET state = 'running', clients_total = coalesce(clients_total, (SELECT count(*)::int FROM client c WHERE ${WITHOUT_CUSTOMER}))
       WHERE b.client_id = $1 AND b.id = $2 AND b.state IN ('waiting', 'running') RETURNING id, dry_run, last_client, user_id`,
      [clientId, id],
    )
    engine.tell(new Set(['customer_batch']))
    return batch
  })

/** A client of the provider's that nobody has made a customer of. */
const WITHOUT_CUSTOMER =
  'c.id > 0 AND NOT c.retired AND NOT EXISTS (SELECT 1 FROM customer k WHERE k.client_id = $1 AND k.account_id = c.id AND NOT k.retired)'

const clientsAfter = (engine: Engine, clientId: number, last: number): Promise<{ id: number; company: string }[]> =>
  engine.db.tx('system', (tx) =>
    tx.rows(
      `SELECT c.id, c.company FROM client c WHERE ${WITHOUT_CUSTOMER} AND c.id > $2 ORDER BY c.id LIMIT ${PAGE}`,
      [clientId, last],
    ),
  )

/** Makes one customer, or says why not. */
async function one(engine: Engine, actor: Actor, row: { id: number }, batch: Batch): Promise<string | undefined> {
  try {
    const account = await engine.one(client, actor, row.id)
    const body = { ...fromBoth(await leadOf(engine, actor, row.id), account) } as Sent
    if (!body.email) return 'There is no e-mail address for this client. Enter one in the client’s details.'
    if (batch.dry_run) return undefined
    await engine.create(customer, body, { actor, requestId: `batch ${batch.id}` })
    return undefined
  } catch (e) {
    if (e instanceof Problem) return e.message
    throw e
  }
}

/** Notes how far it is; false when somebody has stopped it. */
async function advance(
  engine: Engine,
  clientId: number,
  id: number,
  row: { id: number; company: string },
  message: string | undefined,
): Promise<boolean> {
  const going = await engine.db.tx('system', async (tx) => {
    if (message !== undefined)
      await tx.rows(
        'INSERT INTO customer_batch_line (client_id, batch_id, client, company, message) VALUES ($1, $2, $3, $4, $5)',
        [clientId, id, row.id, row.company, message],
      )
    const [batch] = await tx.rows<{ state: string }>(
      `UPDATE customer_batch SET last_client = $3, clients_read = clients_read + 1, created = created + $4, refused = refused + $5
       WHERE client_id = $1 AND id = $2 RETURNING state`,
      [clientId, id, row.id, message === undefined ? 1 : 0, message === undefined ? 0 : 1],
    )
    return batch?.state === 'running'
  })
  engine.tell(new Set(['customer_batch', 'customer_batch_line']))
  return going
}

async function settle(
  engine: Engine,
  clientId: number,
  id: number,
  state: string,
  error: string | null,
): Promise<void> {
  await engine.db.tx('system', (tx) =>
    tx.rows(
      "UPDATE customer_batch SET state = $3, error = $4, finished_at = now() WHERE client_id = $1 AND id = $2 AND state = 'running'",
      [clientId, id, state, error],
    ),
  )
  engine.tell(new Set(['customer_batch']))
}

/** The person who started it, with the rights they have now. */
async function actorOf(engine: Engine, clientId: number, userId: number | null): Promise<Actor> {
  const [u] = await engine.db.tx('system', (tx) =>
    tx.rows<{ username: string; name: string; roles: string[]; scopes: unknown }>(
      'SELECT username, name, roles, scopes FROM user_account WHERE client_id = $1 AND id = $2 AND NOT is_retired',
      [clientId, userId],
    ),
  )
  if (!u) throw new Error('The person who started this run has left')
  return {
    userId: userId as number,
    clientId,
    username: u.username,
    name: u.name,
    roles: u.roles,
    scopes: readScopes(u.scopes),
  }
}
