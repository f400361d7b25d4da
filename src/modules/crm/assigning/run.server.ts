import { z } from 'zod'
import { bulkConditions } from '#server/bulk/ask.ts'
import { keysAfterQuery, type RecordKey } from '#server/data/matching-rows.ts'
import type { Refusal } from '#server/engine/batch-job.ts'
import type { Context } from '#server/engine/types.ts'
import { defineBatchJob } from '#server/jobs/define-batch-job.ts'
import { contact } from '../contacts/contact.ts'
import { nextTakerIndex } from './shares.ts'

const PORTION = 100

const INPUT = z.object({
  /** Query that finds the leads. */
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** Number of leads per person. */
  shares: z.array(z.object({ staff: z.int(), gets: z.int() })),
})
const PLACE = z.object({ id: z.int(), given: z.array(z.int()), last: z.int() })
const WAS = z.object({ was: z.int().nullable(), now: z.int() })

/**
 * Assigns leads in turn until all shares are used up; every change obeys the rules of the lead. Undo returns each lead
 * to its previous owner.
 */
export const assignLeadsJob = defineBatchJob({
  kind: 'crm.assign',
  title: 'Leads assigned',
  queue: 'bulk',
  as: 'starter',
  input: INPUT,
  cursor: PLACE,
  begin: async (_, { input }) => input.shares.reduce((n, { gets }) => n + gets, 0),
  steps: async function* (engine, run, from, actor) {
    const { query, shares } = run.input
    const extra = bulkConditions(engine, contact, query)
    const quotas = shares.map(({ gets }) => gets)
    let { id: after, given, last } = from ?? { id: 0, given: shares.map(() => 0), last: -1 }
    for (;;) {
      const q = keysAfterQuery(contact, actor, query, [run.clientId, after], PORTION, extra)
      const keys = q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
      const end = keys.at(-1)?.[1]
      if (end === undefined || nextTakerIndex(quotas, given, last) === undefined) return
      const place = { id: end, given: [...given], last }
      yield {
        cursor: place,
        execute: async (c) => {
          const refused: Refusal[] = []
          const moved: Moved[] = []
          let unchanged = 0
          for (const [, id] of keys) {
            const turn = nextTakerIndex(quotas, place.given, place.last)
            const taker = turn === undefined ? undefined : shares[turn]
            if (turn === undefined || !taker) break
            const tried = await c.attempt(async () => {
              const row = await c.lock(contact, id)
              if (row.owner === taker.staff) return undefined
              await c.change(contact, id, { owner: taker.staff })
              return { id, was: row.owner, now: taker.staff }
            })
            if ('refused' in tried) {
              refused.push({ line: id, reason: tried.refused.message, code: tried.refused.code })
              continue
            }
            place.given[turn] = (place.given[turn] ?? 0) + 1
            place.last = turn
            if (tried.value) moved.push(tried.value)
            else unchanged++
          }
          await keep(c, run.id, moved)
          return { done: moved.length, refused, tally: { unchanged } }
        },
      }
      ;({ id: after, given, last } = place)
    }
  },
  undo: async function* (engine, run, from) {
    for (let after = from?.id ?? 0; ; ) {
      const rows = await engine.db.tx({ clientId: run.clientId }, (tx) =>
        tx.rows<{ id: number; row_id: number; was: unknown }>(
          'SELECT id, row_id, was FROM run_change WHERE client_id = $1 AND run_id = $2 AND id > $3 ORDER BY id LIMIT $4',
          [run.clientId, run.id, after, PORTION],
        ),
      )
      const last = rows.at(-1)
      if (!last) return
      yield {
        cursor: { id: last.id, given: [], last: -1 },
        execute: async (c) => {
          const refused: Refusal[] = []
          let done = 0
          for (const row of rows) {
            const { was, now } = WAS.parse(row.was)
            const tried = await c.attempt(async () => {
              // A lead that has been reassigned since stays with its new owner.
              if ((await c.lock(contact, row.row_id)).owner !== now) return false
              await c.change(contact, row.row_id, { owner: was })
              return true
            })
            if ('refused' in tried) refused.push({ line: row.row_id, reason: tried.refused.message })
            else if (tried.value) done++
          }
          return { done, refused }
        },
      }
      after = last.id
    }
  },
})

interface Moved {
  readonly id: number
  readonly was: number | null
  readonly now: number
}

/** Stores the previous owners, for undo. */
const keep = (c: Context, run: number, moved: readonly Moved[]) =>
  c.work.tx.rows(
    'INSERT INTO run_change (client_id, run_id, row_client, row_id, was) SELECT $1, $2, $1, u.id, u.was::jsonb FROM unnest($3::bigint[], $4::text[]) u(id, was)',
    [c.clientId, run, moved.map(({ id }) => id), moved.map(({ was, now }) => JSON.stringify({ was, now }))],
  )
