import type { Fields } from '#kernel/fields.ts'
import type { Resource, RowOf } from '#kernel/resource.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { BoundValues } from '#server/data/values.ts'
import type { Where } from '#server/data/where.ts'
import { whereConditionSql } from '#server/data/where.ts'
import { type Schedule, schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'

/** Criteria that select rows from all clients: field values, and an SQL condition on `t`. */
interface Sweep<R extends Resource> {
  readonly of: R
  readonly where: Where<R>
  readonly condition: (next: BoundValues['next']) => string
  /** Reason recorded in the audit trail, such as `quotes expire`. */
  readonly reason: string
}

const PAGE = 500

/**
 * Processes all clients' matching rows, page by page. Each row is locked in a transaction of its own client. A failure
 * doesn't stop the processing of other rows. An error at the end states the number of failures.
 */
export async function processRowsForAllClients<R extends Resource>(
  engine: Engine,
  s: Sweep<R>,
  each: (c: Context, row: RowOf<R>) => Promise<void> | void,
): Promise<void> {
  const failed: Error[] = []
  for (let after = { client: -1, id: 0 }; ; ) {
    const page = await findPage(engine, s, after)
    for (const { client, id } of page)
      await engine
        .inTenant(client, { actor: createSystemActor(client, s.reason), requestId: `${s.reason} ${id}` }, async (c) => {
          const [row] = await c.lockAll(s.of, { ...s.where, id })
          if (row) await each(c, row)
          return () => undefined
        })
        .catch((e: Error) => failed.push(new Error(`client ${client}, ${s.of.type} ${id}: ${e.message}`, { cause: e })))
    const last = page.at(-1)
    if (!last || page.length < PAGE) break
    after = last
  }
  if (failed[0])
    throw new Error(`${s.reason}: ${failed.length} reminders failed; the first error was: ${failed[0].message}`, {
      cause: failed[0],
    })
}

const findPage = <R extends Resource>(
  engine: Engine,
  { of: r, where, condition }: Sweep<R>,
  after: { client: number; id: number },
): Promise<{ client: number; id: number }[]> => {
  const v = new BoundValues()
  const text = `SELECT t.client_id AS client, t.id FROM ${r.table} t WHERE (t.client_id, t.id) > (${v.next(after.client)}::int, ${v.next(after.id)}::bigint)${whereConditionSql(r, where, v.next)} AND ${condition(v.next)} ORDER BY t.client_id, t.id LIMIT ${PAGE}`
  return engine.db.tx('system', (tx) => tx.rows(text, v.list))
}

type Day = Temporal.PlainDate
type Next = BoundValues['next']

/**
 * A reminder before a date in a record. It is sent once for each number of days before the date, and again if the date
 * changes.
 */
export interface DateReminder<R extends Resource> {
  readonly name: string
  readonly of: R
  /** Field that contains the date or an instant on that date. */
  readonly on: keyof R['fields'] & string
  /** Time of day in London at which reminders are sent. */
  readonly daily: string
  /**
   * Days before the date on which to send the reminder; 0 for the date itself. If several were missed, only one
   * reminder is sent. Negative for days after the date.
   */
  readonly daysBefore:
    | readonly number[]
    | { readonly most: number; readonly of: (c: Context, row: RowOf<R>) => Promise<readonly number[]> }
  readonly where: Where<R>
  /** Returns true to skip the reminder for now, without marking it as sent. */
  readonly unless?: (c: Context, row: RowOf<R>) => boolean
  readonly send: (c: Context, row: RowOf<R>, due: { day: Day; late: boolean }) => Promise<void>
}

export const reminderSchedule = <R extends Resource>(r: DateReminder<R>): Schedule =>
  schedule({
    name: r.name,
    every: { daily: r.daily },
    run: async (engine) => {
      const today = londonDate(engine.clock.now())
      const most = 'most' in r.daysBefore ? r.daysBefore.most : Math.max(...r.daysBefore)
      const column = `t.${r.of.columns[r.on]}`
      const day =
        (r.of.fields as Fields)[r.on]?.kind === 'date' ? column : `(${column} AT TIME ZONE '${LONDON_TIME_ZONE}')::date`
      const found = {
        of: r.of,
        where: r.where,
        reason: r.name,
        condition: (next: Next) =>
          `${day} <= ${next(today.add({ days: most }).toString())}::date${'most' in r.daysBefore ? '' : unsentCondition(next, r.name, day, r.daysBefore, today)}`,
      }
      await processRowsForAllClients(engine, found, async (c, row) => {
        await remindRow(r, c, row, today)
      })
    },
  })

/** Returns the SQL condition that excludes records whose reminder has been sent, for fixed numbers of days. */
const unsentCondition = (next: Next, name: string, day: string, at: readonly number[], today: Day): string =>
  ` AND NOT EXISTS (SELECT 1 FROM reminder m WHERE m.client_id = t.client_id AND m.name = ${next(name)}::text AND m.row_id = t.id AND m.due = ${day}
     AND m.days <= (SELECT min(n) FROM unnest(${next(at)}::int[]) n WHERE n >= ${day} - ${next(today.toString())}::date))`

/** Sends a record's reminder if one is due and has not been sent. Returns true if it was sent. */
export async function remindRow<R extends Resource>(
  r: DateReminder<R>,
  c: Context,
  row: RowOf<R>,
  today: Day,
): Promise<boolean> {
  const day = dayOf(row[r.on])
  if (!day || r.unless?.(c, row)) return false
  const left = today.until(day).days
  const at = 'of' in r.daysBefore ? await r.daysBefore.of(c, row) : r.daysBefore
  const reached = at.filter((days) => days >= left)
  if (!reached.length) return false
  const days = Math.min(...reached)
  const [fresh] = await c.work.tx.rows(
    `INSERT INTO reminder (client_id, name, row_id, due, days) SELECT $1, $2, $3, $4::date, $5
     WHERE NOT EXISTS (SELECT 1 FROM reminder WHERE client_id = $1 AND name = $2 AND row_id = $3 AND due = $4::date AND days <= $5) RETURNING 1`,
    [c.clientId, r.name, row.id, day.toString(), days],
  )
  if (fresh) await r.send(c, row, { day, late: left <= 0 })
  return fresh !== undefined
}

/** Returns the London date for a field's value; `undefined` if the field has no value. */
function dayOf(value: unknown): Day | undefined {
  if (typeof value === 'number') return londonDate(Temporal.Instant.fromEpochMilliseconds(value * 1000))
  if (typeof value !== 'string') return undefined
  return value.length === 10 ? Temporal.PlainDate.from(value) : londonDate(Temporal.Instant.from(value))
}
