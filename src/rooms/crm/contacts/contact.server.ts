import { problem } from '#kernel/errors.ts'
import { labelOf } from '#kernel/fields.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { LONDON, londonDate } from '#kernel/time.ts'
import { behaviour, type Context } from '#server/behaviour.ts'
import type { Row } from '#server/data/plan.ts'
import { present } from '#server/engine.ts'
import { staffOf, trayOf } from '../staff/staff.server.ts'
import { staff } from '../staff/staff.ts'
import { contact } from './contact.ts'
import { businessType, cameFrom, lastResult } from './lookups.ts'
import { note } from './note.ts'
import { decide, EDITED, outcomeOf, SKIPPED } from './outcomes.ts'
import { holder, LEASE_MINUTES, lease, leaseNext, why } from './queue.server.ts'

/** Changes that an edit's note does not list (specification, section 4), and those that say nothing to a reader. */
const UNLISTED = new Set([
  'lastResults',
  'expiry',
  'callback',
  'callbackDate',
  'lastResult',
  'updatedAt',
  'customer',
  'businessType',
  'lastEditBy',
  'category',
])
const UNDO_SECONDS = 60

/** What a value is called in a note: the names of related records, not their numbers. */
async function spoken(c: Context, field: string, value: unknown): Promise<string> {
  if (value === null || value === undefined || value === '') return 'blank'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const target = {
    owner: [staff.table, 'name'],
    cameFrom: [cameFrom.table, 'name'],
    businessType: [businessType.table, 'name'],
    lastResult: [lastResult.table, 'text'],
    client: ['client', 'company'],
  }[field]
  if (!target) return typeof value === 'string' ? value : JSON.stringify(value)
  const [row] = await c.work.tx.rows<{ name: string }>(`SELECT ${target[1]} AS name FROM ${target[0]} WHERE id = $1`, [
    value,
  ])
  return row?.name ?? JSON.stringify(value)
}

export const contactBehaviour = behaviour(contact, {
  /** Somebody must be there to ring, or it is no lead. */
  prepare: ({ values }) => {
    const named = values.companyName || values.name || values.phone || values.mobile || values.email
    if (!named)
      throw problem.invalid([
        {
          propertyPath: 'companyName',
          message: 'Please enter a company, a name, a telephone number or an e-mail address',
          code: null,
        },
      ])
  },
  /** An edit records what changed, from what to what. */
  saved: async (c) => {
    const { before, changes, work, actor } = c
    if (!before) return
    const was: Readonly<Record<string, unknown>> = before
    const lines: string[] = []
    for (const [k, value] of Object.entries(changes))
      if (!UNLISTED.has(k))
        lines.push(
          `${labelOf(k, contact.fields[k as 'name'])}: ${await spoken(c, k, was[k])} → ${await spoken(c, k, value)}`,
        )
    if (!lines.length) return
    work.create(note, {
      contact: before.id,
      user: (await staffOf(work.tx, actor)) ?? null,
      author: author(actor).username,
      notes: lines.join('\n'),
      lastResult: EDITED,
    })
  },
  actions: {
    outcome: async (c) => {
      const { row, input, work, actor, now, query } = c
      const outcome = outcomeOf(input.result as number)
      if (!outcome)
        throw problem.invalid([
          { propertyPath: 'result', message: 'This result is not one that a call can end with', code: null },
        ])
      await notHeld(c, row)
      const decision = decide(outcome, now, input.date as number | undefined)
      const set: ValuesOf<typeof contact> = {}
      if (decision.lastResult !== undefined) set.lastResult = decision.lastResult
      if (decision.expiry !== undefined) set.expiry = decision.expiry
      if (decision.callbackDate !== undefined) set.callbackDate = decision.callbackDate
      if (decision.dead) set.doNotCall = true
      if (decision.tray) set.owner = await trayOf(work.tx, work.clientId, decision.tray)
      const before = Object.fromEntries(Object.keys(set).map((k) => [k, row[k as keyof typeof set] ?? null]))
      const typed = ((input.notes as string | null | undefined) ?? '').trim()
      const user = await staffOf(work.tx, actor)
      const written = work.create(note, {
        contact: row.id,
        user: user ?? null,
        author: author(actor).username,
        notes: [decision.note, typed].filter(Boolean).join('\n'),
        lastResult: outcome.result,
        minutes: input.minutes ?? 0,
        before,
      })
      const next = leaseNext(work.tx, actor, query, row.id)
      next.catch(() => {})
      return {
        set: { ...set, ...released(c, outcome.result === SKIPPED) },
        answer: async (after) => {
          const lead = await next
          return {
            contact: after && present(contact, actor, after),
            note: present(note, actor, written),
            next: lead ? { ...lead.sent, why: why(lead.row) } : null,
          }
        },
      }
    },
    /** For a moment, an outcome can be taken back by the person who gave it. */
    undo: async (c) => {
      const { row, input, work, actor, now } = c
      const [last] = await work.tx.rows<{
        before: Record<string, unknown> | null
        author: string
        late: boolean
        over: boolean
      }>(
        `SELECT before, author, timestamp < now() - make_interval(secs => $4) AS late,
                EXISTS (SELECT 1 FROM note l WHERE l.client_id = $1 AND l.contact_id = $3 AND l.id > n.id AND l.before IS NOT NULL AND NOT l.retired) AS over
         FROM note n WHERE client_id = $1 AND id = $2 AND contact_id = $3 AND NOT retired FOR UPDATE`,
        [work.clientId, input.note, row.id, UNDO_SECONDS],
      )
      if (!last?.before || last.author !== author(actor).username)
        throw problem.notFound('There is nothing of yours to take back here.')
      if (last.late)
        throw problem.conflict('It is too late to take this back. Please record the right outcome instead.')
      if (last.over) throw problem.conflict('This lead has had another outcome since. Take that one back first.')
      await notHeld(c, row)
      await work.tx.rows('UPDATE note SET retired = true WHERE client_id = $1 AND id = $2', [work.clientId, input.note])
      return {
        set: {
          ...last.before,
          skipUser: null,
          skipUntil: null,
          leaseUser: actor.userId,
          leaseUntil: now.add({ minutes: LEASE_MINUTES }).toString(),
        },
      }
    },
    lease: async (c) => {
      const { row, input, work, actor } = c
      if (input.release) {
        await work.tx.rows(
          'UPDATE contact SET lease_until = NULL WHERE client_id = $1 AND id = $2 AND lease_user_id = $3',
          [work.clientId, row.id, actor.userId],
        )
        return { answer: () => ({ released: true }) }
      }
      const lead = await lease(work.tx, actor, row.id)
      const other = lead ? undefined : await holder(work.tx, work.clientId, row.id)
      return { answer: () => ({ contact: lead?.sent ?? null, heldBy: other?.name ?? null }) }
    },
  },
})

/** Throws 409 while somebody else is working the lead. */
async function notHeld({ actor, now, work }: Context, row: Row): Promise<void> {
  const mine = row.leaseUser === null || row.leaseUser === actor.userId
  if (mine || typeof row.leaseUntil !== 'string' || Date.parse(row.leaseUntil) <= now.epochMilliseconds) return
  const name = (await holder(work.tx, work.clientId, row.id))?.name ?? 'Somebody'
  throw problem.conflict(`${name} is working this lead just now. Nothing was saved.`)
}

/** Done with for now; a lead that was skipped does not come back to this person before tomorrow. */
function released(c: Context, skipped: boolean): Record<string, unknown> {
  const tomorrow = londonDate(c.now).add({ days: 1 }).toZonedDateTime(LONDON).toInstant().toString()
  return { leaseUser: null, leaseUntil: null, ...(skipped ? { skipUser: c.actor.userId, skipUntil: tomorrow } : {}) }
}
