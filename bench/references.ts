import type pg from 'pg'
import type { Actor } from '#kernel/roles.ts'
import { document } from '#modules/documents/types/document.ts'
import type { Engine } from '#server/engine/types.ts'
import { medianTime } from './times.ts'

const RUNS = 40

/** Creates a client with documents that refer to each other. Each referenced document has a hundred references to it. */
export async function insertReferencingDocuments(
  client: pg.Client,
  clientId: number,
  references: number,
): Promise<void> {
  const documents = Math.ceil(references / 50)
  const targets = Math.ceil(references / 100)
  await client.query("INSERT INTO client (id, company) VALUES ($1, 'References')", [clientId])
  const { rows } = await client.query<{ first: string }>(
    `WITH made AS (INSERT INTO document (client_id, kind, number, title, state, author, content)
       SELECT $1, 'risk_assessment', 'RA-' || i, 'Roof repairs ' || i, 'draft', 'ada', '{}' FROM generate_series(1, $2::int) i RETURNING id)
     SELECT min(id) AS first FROM made`,
    [clientId, documents],
  )
  const first = Number(rows[0]?.first)
  // Skips triggers and foreign key checks: a million rows take seconds instead of minutes.
  await client.query('SET session_replication_role = replica')
  await client.query(
    `INSERT INTO document_reference (client_id, document_id, field, position, target_id, target_client_id)
     SELECT $1, $2::bigint + (i + i / $4::int * 17) % $3::int, 'associated', i / $3::int, $2::bigint + i % $4::int, $1 FROM generate_series(0, $5::int - 1) i`,
    [clientId, first, documents, targets, references],
  )
  await client.query('RESET session_replication_role')
}

/** Returns the condition with which the API route finds the documents that refer to a document. */
const whereUsed = (id: number) => ({
  sql: (next: (v: unknown) => string) =>
    `t.id IN (SELECT r.document_id FROM document_reference r WHERE r.target_id = ${next(id)}::bigint)`,
})

/**
 * Measures the milliseconds to find where a document is used, as the API route does. Compares this with reading a row
 * of the same table by its key.
 */
export async function measureWhereUsed(engine: Engine, clientId: number, references: number): Promise<void> {
  const actor: Actor = {
    userId: 1,
    clientId,
    username: 'ada',
    name: 'Ada',
    roles: ['ROLE_CLIENT_ADMIN'],
    scopes: [],
    packs: { safety: 'active' },
  }
  const [bounds] = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ first: number }>('SELECT min(target_id) AS first FROM document_reference WHERE client_id = $1', [
      clientId,
    ]),
  )
  const [usedIn, byKey]: [number[], number[]] = [[], []]
  let found = 0
  for (let run = 0; run < RUNS + 5; run++) {
    const id = Number(bounds?.first) + ((run * 97) % Math.ceil(references / 100))
    let began = performance.now()
    const list = await engine.list(
      document,
      actor,
      {},
      { limit: 30, offset: 0 },
      { count: true, extra: [whereUsed(id)] },
    )
    if (run >= 5) usedIn.push(performance.now() - began)
    found = Math.max(found, list.members.length)
    began = performance.now()
    await engine.one(document, actor, id)
    if (run >= 5) byKey.push(performance.now() - began)
  }
  const [ms, beside] = [medianTime(usedIn), medianTime(byKey)]
  console.log('\n| where a document is used | median, ms | ÷ reading one record by ID | goal, ms |\n|---|---|---|---|')
  console.log(
    `| the first ${found} among ${references.toLocaleString('en-GB')} references | **${ms.toFixed(1)}** | ${(ms / beside).toFixed(1)} | ≤ 50 |`,
  )
}
