import { problem } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { bulkConditions } from '#server/bulk/ask.ts'
import type { Query } from '#server/data/filters.ts'
import { keysAfterQuery, matchingKeysQuery, type RecordKey } from '#server/data/matching-rows.ts'
import type { Condition } from '#server/data/query-values.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { contact } from '../contacts/contact.ts'

/** Query of a list of leads, as stored with a job. */
export type LeadQuery = Record<string, string | string[]>

/** Parses the URL of a list of leads. Throws 400 for any other URL. */
export function parseLeadListUrl(from: string): LeadQuery {
  const [path, rest = ''] = from.split(/\?(.*)/s)
  if (path !== contact.url) throw problem.badRequest('"from" must be the URL of the list of leads.')
  const all = Map.groupBy(new URLSearchParams(rest), ([name]) => name)
  return Object.fromEntries(
    [...all].flatMap(([name, given]) => {
      const values = given.map(([, value]) => value)
      return name === '__proto__' ? [] : [[name, values.length > 1 ? values : (values[0] ?? '')]]
    }),
  ) satisfies Query
}

/** Number of leads that a list finds. Throws 409 for none, and for more than `most`. */
export async function countFoundLeads(engine: Engine, actor: Actor, query: LeadQuery, most: number): Promise<number> {
  const q = matchingKeysQuery(contact, actor, query, most + 1, bulkConditions(engine, contact, query))
  const count = q ? (await engine.db.read.arrays(q.query, q.values)).length : 0
  if (!count) throw problem.conflict('No leads match any more. Please check the list and try again.')
  if (count > most)
    throw problem.conflict(
      `More than ${most.toLocaleString('en-GB')} leads match. Please narrow the list and write to fewer at a time.`,
    )
  return count
}

/** Number of matching leads when a job begins. */
export async function countLeadsAtStart(
  c: Context,
  query: LeadQuery,
  only: readonly Condition[] = [],
): Promise<number> {
  const q = matchingKeysQuery(contact, c.actor, query, 1_000_000, [
    ...bulkConditions(c.engine, contact, query),
    ...only,
  ])
  return q ? (await c.work.tx.arrays(q.query, q.values)).length : 0
}

/** Keys of the leads that a list finds after a given one. */
export async function leadKeysAfter(
  engine: Engine,
  actor: Actor,
  query: LeadQuery,
  {
    after,
    most,
    only = [],
  }: { readonly after: RecordKey; readonly most: number; readonly only?: readonly Condition[] },
): Promise<readonly RecordKey[]> {
  const extra = [...bulkConditions(engine, contact, query), ...only]
  const q = keysAfterQuery(contact, actor, query, after, most, extra)
  return q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
}

/** Name of an excluded lead. */
export const excludedLeadName = (row: Pick<RowOf<typeof contact>, 'id' | 'companyName' | 'name'>): string =>
  row.companyName || row.name || `Lead ${row.id}`
