import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { type Field, labelOf } from '#kernel/fields.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import {
  formatUkDateTime,
  fromUnixSeconds,
  type Instant,
  LONDON_TIME_ZONE,
  londonDate,
  toUnixSeconds,
} from '#kernel/time.ts'
import { ukNationForPostcode } from '#kernel/working-days.ts'
import { areStoredValuesEqual } from '#server/data/difference.ts'
import type { ResourceBehaviour } from '#server/engine/behaviour.ts'
import { serialiseWrittenRecord } from '#server/engine/field-access.ts'
import type { Context } from '#server/engine/types.ts'
import { decideOutcome, EDITED_RESULT_CODE, type OutcomeDecision, QUOTE_SENT_RESULT_CODE } from '../outcomes/decide.ts'
import { callOutcome } from '../outcomes/outcome.ts'
import { ensureStaffRecordId, ensureTrayId } from '../staff/staff.server.ts'
import { contact, note } from './contact.ts'
import { addNoteToContact, findQuoteCallNote } from './note.server.ts'
import { findLeaseholderName, LEAD_LEASE_MINUTES, leaseLeadFromQueue } from './queue.server.ts'

type Lead = RowOf<typeof contact>
type LeadValues = ValuesOf<typeof contact>
type Actions = NonNullable<ResourceBehaviour<typeof contact>['actions']>

const UNDO_SECONDS = 60

/** Previous values of the lead, stored in the outcome's note for undo. */
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
    /** ID of the “quote sent” note that recorded this call until the outcome replaced it. Undo restores it. */
    quoteNote: z.int(),
    /** Values of the changed fields after the outcome. */
    after: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  })
  .partial()

export const recordOutcome: Actions['outcome'] = async (c) => {
  const { row, input, actor } = c
  const chosen = await readOutcomeRule(c, input.result)
  if (!chosen || chosen.effect === 'none' || (chosen.retired && !input.version))
    throw problem.invalid([violation('result', 'This is not a current call outcome. Choose another outcome')])
  await requireNotLeasedByColleague(c, row)
  await mustBeAsDecidedOn(c, row, input.outcomes)
  mustBeAsShown(c, row, chosen, input.version)
  mustBeToCome(c, input.date)
  const isSkip = chosen.effect === 'skip'
  const decision = decideOutcome(chosen, c.now, input.date, ukNationForPostcode(row.postcode))
  const said = { outcome: chosen.id, outcomes: row.outcomes + 1 }
  const set = { ...(await changesOf(c, decision)), ...said }
  const quoteNote = isSkip ? undefined : await findQuoteCallNote(c, row)
  if (quoteNote) await c.set(note, quoteNote, { lastResult: null }, 'outcome')
  const written = await addNoteToContact(c, row.id, {
    notes: [decision.note, input.notes.trim()].filter(Boolean).join('\n'),
    lastResult: chosen.id,
    minutes: input.minutes ?? 0,
    before: keptBefore.parse({
      ...Object.fromEntries(Object.entries(row).filter(([name]) => name in set)),
      ...(quoteNote && { quoteNote: quoteNote.id }),
      after: set,
    }),
  })
  const next = leaseLeadFromQueue(c.work.tx, actor, c.query, row.id)
  next.catch(() => {})
  return {
    set: { ...set, ...releasedValues(c, row, isSkip) },
    answer: async (after) => {
      const lead = await next
      return {
        contact: after && serialiseWrittenRecord(contact, actor, after),
        note: serialiseWrittenRecord(note, actor, written),
        next: lead?.sent ?? null,
      }
    },
  }
}

/**
 * Closes leads with an outcome but without a call. The outcome is recorded in the timeline but not counted as a call.
 * Only callers can skip a lead.
 */
export const closeLeadWithoutCall: Actions['close'] = async (c) => {
  const { row, input } = c
  const chosen = await readOutcomeRule(c, input.result)
  if (!chosen || chosen.effect === 'none' || chosen.effect === 'skip' || chosen.retired)
    throw problem.invalid([violation('result', 'This outcome can’t be chosen here. Choose another outcome')])
  await requireNotLeasedByColleague(c, row)
  mustBeToCome(c, input.date)
  const decision = decideOutcome(chosen, c.now, input.date, ukNationForPostcode(row.postcode))
  const set = { ...(await changesOf(c, decision)), outcome: chosen.id, outcomes: row.outcomes + 1 }
  const told = [`${chosen.text}, without a call`, decision.note, input.notes.trim()].filter(Boolean).join('\n')
  await addNoteToContact(c, row.id, { notes: told, lastResult: EDITED_RESULT_CODE })
  return { set: { ...set, leaseUser: null, leaseUntil: null } }
}

/** Undoes an outcome at the request of the person who recorded it, shortly after it was recorded. */
export const undoOutcome: Actions['undo'] = async (c) => {
  const { row, input, actor, now } = c
  const [last] = await c.lockAll(note, { id: input.note, contact: row.id, retired: false })
  const kept = keptBefore.safeParse(last?.before).data
  if (!last || !kept || last.author !== authorOf(actor).username)
    throw problem.notFound('You have no outcome to undo on this lead.')
  if (Date.parse(last.timestamp) < now.subtract({ seconds: UNDO_SECONDS }).epochMilliseconds)
    throw problem.conflict('It is too late to undo this outcome. Please record the correct outcome instead.')
  const notes = await c.find(note, { contact: row.id, retired: false })
  if (notes.some((n) => n.id > last.id && n.before !== null))
    throw problem.conflict('This lead has had another outcome since. Undo that outcome first.')
  await requireNotLeasedByColleague(c, row)
  const { quoteNote, after, ...before } = kept
  mustBeAsLeft(row, after ?? {})
  await c.set(note, last, { retired: true }, 'undo')
  const told = notes.find((n) => n.id === quoteNote)
  if (told) await c.set(note, told, { lastResult: QUOTE_SENT_RESULT_CODE }, 'undo')
  return {
    set: {
      ...before,
      ...skippedBy(
        row,
        skippersOf(row, now).filter((id) => id !== actor.userId),
      ),
      leaseUser: actor.userId,
      leaseUntil: now.add({ minutes: LEAD_LEASE_MINUTES }).toString(),
    },
  }
}

/** Minutes by which a date may be in the past, to allow for clock differences and requests queued offline. */
const LATE_MINUTES = 15
const FURTHEST_YEARS = 5

/** Throws 422 for a date in the past, or so far ahead that it must be a typing error. */
function mustBeToCome(c: Context, date: number | null | undefined): void {
  if (typeof date !== 'number') return
  const furthest = c.now.toZonedDateTimeISO(LONDON_TIME_ZONE).add({ years: FURTHEST_YEARS }).toInstant()
  if (date < toUnixSeconds(c.now.subtract({ minutes: LATE_MINUTES })))
    throw problem.invalid([violation('date', 'Please choose a date in the future')])
  if (date > toUnixSeconds(furthest))
    throw problem.invalid([violation('date', `Please choose a date within the next ${FURTHEST_YEARS} years`)])
}

/** Throws 409 while a colleague has leased the lead, or if the lead has been merged into another one. */
export async function requireNotLeasedByColleague(c: Context, row: Lead): Promise<void> {
  if (row.mergedInto !== null) throw problem.conflict('This lead has been merged into another. Nothing was saved.')
  if (row.leaseUser === c.actor.userId) return
  const holder = await findLeaseholderName(c, row)
  if (holder) throw problem.conflict(`${holder} is working this lead at the moment. Nothing was saved.`, 'held')
}

/**
 * Throws 409 if another outcome has been recorded for the lead since this one was chosen, for example in another
 * window. A call can have only one outcome.
 */
async function mustBeAsDecidedOn(c: Context, row: Lead, seen: number | null | undefined): Promise<void> {
  if (typeof seen !== 'number' || seen === row.outcomes) return
  const notes = await c.find(note, { contact: row.id, retired: false })
  const last = notes.filter((n) => n.before !== null).toSorted((a, b) => b.id - a.id)[0]
  const label = row.outcome === null ? undefined : (await readOutcomeRule(c, row.outcome))?.text
  const who = last && (last.author === authorOf(c.actor).username ? 'you' : last.author)
  const said =
    last && label ? `: ${label}, by ${who} at ${formatUkDateTime(Temporal.Instant.from(last.timestamp))}` : ''
  throw problem.conflict(`This lead has had another outcome since you opened it${said}. Nothing was saved.`)
}

/** Returns an outcome's rule, read once in each transaction. */
export const readOutcomeRule = (c: Context, id: number): Promise<Rule | undefined> =>
  c.once(`rule of outcome ${id}`, () => c.get(callOutcome, id))

type Rule = RowOf<typeof callOutcome>

/**
 * Throws 409 if the outcome's rule has changed since the outcome's button was shown. Only the rule that the caller saw
 * may be applied.
 */
function mustBeAsShown(c: Context, row: Lead, rule: Rule, seen: number | null | undefined): void {
  if (!seen || (seen === rule.version && !rule.retired)) return
  if (rule.retired)
    throw problem.conflict(
      `“${rule.text}” is no longer an outcome. Nothing was saved. Please choose another outcome.`,
      'rule_changed',
    )
  const { expiry } = decideOutcome(rule, c.now, undefined, ukNationForPostcode(row.postcode))
  const sets = typeof expiry === 'number' ? `, and now sets the date ${formatUkDateTime(fromUnixSeconds(expiry))}` : ''
  throw problem.conflict(
    `“${rule.text}” has changed since you opened the lead${sets}. Nothing was saved.`,
    'rule_changed',
  )
}

/** Throws 409 if the lead has changed since the outcome was recorded. Undo would overwrite that change. */
function mustBeAsLeft(row: Lead, after: Readonly<Record<string, unknown>>): void {
  const now: Readonly<Record<string, unknown>> = row
  const [changed] = Object.keys(after).filter((name) => !areStoredValuesEqual(now[name], after[name]))
  const field = Object.entries<Field>(contact.fields).find(([name]) => name === changed)
  if (field)
    throw problem.conflict(
      `A colleague has since changed this lead (${labelOf(...field)}). Nothing was undone. Please record the correct outcome.`,
    )
}

async function changesOf(c: Context, decision: OutcomeDecision): Promise<LeadValues> {
  const set: LeadValues = {}
  if (decision.lastResult !== undefined) set.lastResult = decision.lastResult
  if (decision.expiry !== undefined) set.expiry = decision.expiry
  if (decision.callbackDate !== undefined) set.callbackDate = decision.callbackDate
  if (decision.dead) Object.assign(set, { doNotCall: true, callAgainReason: null })
  if (decision.tray) set.owner = await ensureTrayId(c, decision.tray)
  if (decision.owner) set.owner = decision.owner === 'caller' ? ((await ensureStaffRecordId(c)) ?? null) : null
  return set
}

/**
 * Returns the values that release a lead. If the current user has skipped the lead, it is not offered to them again
 * before tomorrow.
 */
function releasedValues(c: Context, row: Lead, skipped: boolean): LeadValues {
  const released = { leaseUser: null, leaseUntil: null }
  if (!skipped) return released
  const tomorrow = londonDate(c.now).add({ days: 1 }).toZonedDateTime(LONDON_TIME_ZONE).toInstant().toString()
  return { ...released, skipUsers: [...new Set([...skippersOf(row, c.now), c.actor.userId])], skipUntil: tomorrow }
}

/** Returns the IDs of the users who have skipped a lead today. */
const skippersOf = (row: Lead, at: Instant): number[] =>
  row.skipUntil !== null && Date.parse(row.skipUntil) > at.epochMilliseconds
    ? z.array(z.int()).parse(row.skipUsers ?? [])
    : []

/** Returns the field values for the users who have skipped a lead; all values are null if there are no such users. */
const skippedBy = (row: Lead, users: readonly number[]): LeadValues =>
  users.length ? { skipUsers: users, skipUntil: row.skipUntil } : { skipUsers: null, skipUntil: null }
