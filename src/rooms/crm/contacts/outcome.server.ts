import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { LONDON, londonDate, ukDateTime } from '#kernel/time.ts'
import type { Behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/context.ts'
import { present } from '#server/engine/engine.ts'
import { trayOf } from '../staff/staff.server.ts'
import { contact } from './contact.ts'
import { noteOnContact } from './note.server.ts'
import { note } from './note.ts'
import { type Decision, decide, outcomeOf, QUOTE_SENT, SKIPPED } from './outcomes.ts'
import { holderOf, LEASE_MINUTES, leaseNext } from './queue.server.ts'
import { callOfQuote } from './quote-sent.server.ts'

type Lead = RowOf<typeof contact>
type LeadValues = ValuesOf<typeof contact>
type Actions = NonNullable<Behaviour<typeof contact>['actions']>

const UNDO_SECONDS = 60

/** What an outcome changes, as it was, kept in its note. */
const keptBefore = z
  .object({
    lastResult: z.int().nullable(),
    expiry: z.int().nullable(),
    callbackDate: z.int().nullable(),
    doNotCall: z.boolean(),
    owner: z.int().nullable(),
    callAgainReason: z.string().nullable(),
    outcome: z.int().nullable(),
    outcomes: z.int(),
    /** The note of a quote that was the call until then. */
    quoteNote: z.int(),
  })
  .partial()

export const outcome: Actions['outcome'] = async (c) => {
  const { row, input, actor } = c
  const chosen = outcomeOf(input.result)
  if (!chosen) throw problem.invalid([violation('result', 'This result is not one that a call can end with')])
  await mustNotBeHeld(c, row)
  await mustBeAsDecidedOn(c, row, input.outcomes)
  const decision = decide(chosen, c.now, input.date)
  const said = { outcome: chosen.result, outcomes: row.outcomes + 1 }
  const set = { ...(await changesOf(c, decision)), ...said }
  const quoteNote = chosen.result === SKIPPED ? undefined : await callOfQuote(c, row)
  if (quoteNote) await c.change(note, quoteNote, { lastResult: null })
  const written = await noteOnContact(c, row.id, {
    notes: [decision.note, input.notes.trim()].filter(Boolean).join('\n'),
    lastResult: chosen.result,
    minutes: input.minutes ?? 0,
    before: keptBefore.parse({
      ...Object.fromEntries(Object.entries(row).filter(([name]) => name in set)),
      ...(quoteNote && { quoteNote: quoteNote.id }),
    }),
  })
  const next = leaseNext(c.work.tx, actor, c.query, row.id)
  next.catch(() => {})
  return {
    set: { ...set, ...releasedValues(c, chosen.result === SKIPPED) },
    answer: async (after) => {
      const lead = await next
      return {
        contact: after && present(contact, actor, after),
        note: present(note, actor, written),
        next: lead?.sent ?? null,
      }
    },
  }
}

/** For a moment, an outcome can be taken back by the person who gave it. */
export const undo: Actions['undo'] = async (c) => {
  const { row, input, actor, now } = c
  const [last] = await c.lockAll(note, { id: input.note, contact: row.id, retired: false })
  const kept = keptBefore.safeParse(last?.before).data
  if (!last || !kept || last.author !== author(actor).username)
    throw problem.notFound('There is nothing of yours to take back here.')
  if (Date.parse(last.timestamp) < now.subtract({ seconds: UNDO_SECONDS }).epochMilliseconds)
    throw problem.conflict('It is too late to take this back. Please record the right outcome instead.')
  const notes = await c.find(note, { contact: row.id, retired: false })
  if (notes.some((n) => n.id > last.id && n.before !== null))
    throw problem.conflict('This lead has had another outcome since. Take that one back first.')
  await mustNotBeHeld(c, row)
  const { quoteNote, ...before } = kept
  await c.change(note, last, { retired: true })
  const told = notes.find((n) => n.id === quoteNote)
  if (told) await c.change(note, told, { lastResult: QUOTE_SENT })
  return {
    set: {
      ...before,
      skipUser: null,
      skipUntil: null,
      leaseUser: actor.userId,
      leaseUntil: now.add({ minutes: LEASE_MINUTES }).toString(),
    },
  }
}

/** Throws 409 while somebody else is working the lead. */
export async function mustNotBeHeld(c: Context, row: Lead): Promise<void> {
  if (row.leaseUser === c.actor.userId) return
  const holder = await holderOf(c, row)
  if (holder) throw problem.conflict(`${holder} is working this lead just now. Nothing was saved.`, 'held')
}

/** Throws 409 where the lead has had another outcome since this one was decided on: in another window, for one call is ended once. */
async function mustBeAsDecidedOn(c: Context, row: Lead, seen: number | null | undefined): Promise<void> {
  if (typeof seen !== 'number' || seen === row.outcomes) return
  const notes = await c.find(note, { contact: row.id, retired: false })
  const last = notes.filter((n) => n.before !== null).toSorted((a, b) => b.id - a.id)[0]
  const label = outcomeOf(row.outcome ?? 0)?.label
  const who = last && (last.author === author(c.actor).username ? 'you' : last.author)
  const said = last && label ? `: ${label}, by ${who} at ${ukDateTime(Temporal.Instant.from(last.timestamp))}` : ''
  throw problem.conflict(`This lead has had another outcome since you opened it${said}. Nothing was saved.`)
}

async function changesOf(c: Context, decision: Decision): Promise<LeadValues> {
  const set: LeadValues = {}
  if (decision.lastResult !== undefined) set.lastResult = decision.lastResult
  if (decision.expiry !== undefined) set.expiry = decision.expiry
  if (decision.callbackDate !== undefined) set.callbackDate = decision.callbackDate
  if (decision.dead) Object.assign(set, { doNotCall: true, callAgainReason: null })
  if (decision.tray) set.owner = await trayOf(c, decision.tray)
  return set
}

/** Done with for now; a lead that was skipped does not come back to this person before tomorrow. */
function releasedValues(c: Context, skipped: boolean): LeadValues {
  const released = { leaseUser: null, leaseUntil: null }
  if (!skipped) return released
  const tomorrow = londonDate(c.now).add({ days: 1 }).toZonedDateTime(LONDON).toInstant().toString()
  return { ...released, skipUser: c.actor.userId, skipUntil: tomorrow }
}
