import { problem, violation } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { type Instant, toUnixSeconds } from '#kernel/time.ts'
import { ukNationForPostcode } from '#kernel/working-days.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import {
  DEFAULT_REST_PERIOD,
  EDITED_RESULT_CODE,
  proposeCallbackTime,
  QUOTE_SENT_RESULT_CODE,
} from '../outcomes/decide.ts'
import { ensureStaffRecordId } from '../staff/staff.server.ts'
import { contact, note } from './contact.ts'

interface NoteContents {
  readonly notes: string
  /** Result of the call that the note describes. */
  readonly lastResult?: number
  /** ID of the staff member shown as the author. Defaults to the current user. */
  readonly user?: number | null
  /** The author's username. Defaults to the current user's. */
  readonly author?: string
  readonly minutes?: number
  /** API URL of the record that the note is about. */
  readonly about?: string
  /** Previous values of the fields that an outcome changed. */
  readonly before?: Readonly<Record<string, unknown>>
}

/**
 * Adds a note to a contact without a separate permission check. A note is automatic if the portal itself or the bearer
 * of a link adds it and no author is given.
 */
export const addNoteToContact = (
  c: Context,
  contact: number,
  contents: NoteContents,
): Promise<PendingWrite<typeof note>> =>
  c.withoutPermissionCheck('a contact’s events are recorded in its notes').create(note, {
    contact,
    automatic: c.actor.kind !== undefined && contents.author === undefined,
    ...contents,
  })

/** Fields that can't change once recorded: author, lead and result of the call. */
const IMMUTABLE_FIELDS: readonly string[] = ['contact', 'user', 'lastResult']

/**
 * Allows only the author to change a record. Other users may pin it, and lead administrators may retire it if they
 * enter a reason. Throws 403 if the change is not allowed, or 422 if the reason is missing.
 */
export function requireAuthor(
  c: Context,
  before: { readonly author: string | null },
  changes: Readonly<Record<string, unknown>>,
): void {
  const names = Object.keys(changes)
  if (c.actor.kind || names.every((name) => name === 'sticky')) return
  if (names.some((name) => IMMUTABLE_FIELDS.includes(name)))
    throw problem.forbidden('The author, the lead and the outcome of the call can’t be changed.')
  if (before.author === authorOf(c.actor).username) return
  const putsAway = names.every((name) => ['retired', 'reason', 'sticky'].includes(name))
  if (!putsAway || !hasRole(c.actor, 'ROLE_LEADS_ADMIN'))
    throw problem.forbidden(`Only ${before.author || 'its author'} can change this note. You can pin the note.`)
  const { reason } = changes
  if (changes.retired !== undefined && !(typeof reason === 'string' && reason.trim()))
    throw problem.invalid([violation('reason', 'Please enter a reason')])
}

/** Throws 403 for any change to an automatic note or a note about an edit, except pinning or unpinning it. */
function mustBeSomebodys(before: RowOf<typeof note>, changes: ValuesOf<typeof note>): void {
  if (!before.automatic && before.lastResult !== EDITED_RESULT_CODE) return
  if (Object.keys(changes).some((name) => name !== 'sticky'))
    throw problem.forbidden('This note was added automatically. You can pin the note, but not change it.')
}

export const noteBehaviour = behaviour(note, {
  /** The author is the current user, unless another author is given. */
  beforeSave: async (c) => {
    if (c.before) {
      mustBeSomebodys(c.before, c.changes)
      requireAuthor(c, c.before, c.changes)
      return undefined
    }
    return {
      author: c.values.author ?? authorOf(c.actor).username,
      user: c.values.automatic ? null : (c.values.user ?? (await ensureStaffRecordId(c)) ?? null),
    }
  },
})

type Lead = RowOf<typeof contact>

/** Minutes within which one person's notes on a lead belong to the same call. */
const ONE_CALL_MINUTES = 60

/**
 * Records that a quote was sent to a lead. If the current user has leased the lead and not yet recorded an outcome,
 * sending the quote is recorded as their call. Otherwise, `user` becomes the author of the note.
 */
export async function recordQuoteSent(
  c: Context,
  id: number,
  told: { readonly notes: string; readonly about: string },
  user: number | null,
): Promise<void> {
  const unit = c.withoutPermissionCheck('a lead’s status follows its quote')
  const lead = await unit.lock(contact, id)
  const inCall = isHeldBy(lead, c) && !(await toldOfThisCall(c, id)).length
  await addNoteToContact(c, id, inCall ? { ...told, lastResult: QUOTE_SENT_RESULT_CODE } : { ...told, user })
  const rest = inCall ? restAfter(lead, c.now) : {}
  await unit.set(contact, lead, { lastResult: QUOTE_SENT_RESULT_CODE, outcome: null, ...rest }, 'quote')
}

/**
 * Finds the note about a sent quote that a new outcome replaces, because both record the same call. Returns `undefined`
 * if there is none.
 */
export async function findQuoteCallNote(c: Context, lead: Lead): Promise<RowOf<typeof note> | undefined> {
  if (lead.lastResult !== QUOTE_SENT_RESULT_CODE) return undefined
  return (await toldOfThisCall(c, lead.id)).find((n) => n.lastResult === QUOTE_SENT_RESULT_CODE)
}

const isHeldBy = ({ leaseUser, leaseUntil }: Lead, { actor, now }: Context): boolean =>
  leaseUser === actor.userId && leaseUntil !== null && Date.parse(leaseUntil) > now.epochMilliseconds

/** Returns the notes that the current user has added to the lead during the current call. */
async function toldOfThisCall(c: Context, id: number): Promise<readonly RowOf<typeof note>[]> {
  const mine = await c
    .withoutPermissionCheck('a call is counted once')
    .find(note, { contact: id, author: authorOf(c.actor).username, retired: false, call: true })
  const since = c.now.subtract({ minutes: ONE_CALL_MINUTES }).epochMilliseconds
  return mine.filter((n) => Date.parse(n.timestamp) > since)
}

/**
 * Returns the lead's new values after a due call: no callback date, and a date before which the lead is not due again.
 * If the callback date is in the future, nothing changes.
 */
function restAfter({ callbackDate, postcode }: Lead, now: Instant): ValuesOf<typeof contact> {
  if (callbackDate !== null && callbackDate > toUnixSeconds(now)) return {}
  return {
    callbackDate: null,
    expiry: toUnixSeconds(proposeCallbackTime(now, DEFAULT_REST_PERIOD, ukNationForPostcode(postcode))),
  }
}
