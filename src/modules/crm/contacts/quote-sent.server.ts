import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { type Instant, toUnix } from '#kernel/time.ts'
import { nationOfPostcode } from '#kernel/working-days.ts'
import type { Context } from '#server/engine/types.ts'
import { DEFAULT_REST, proposedInstant, RESULT_QUOTE_SENT } from '../outcomes/decide.ts'
import { contact } from './contact.ts'
import { noteOnContact } from './note.server.ts'
import { note } from './note.ts'

type Lead = RowOf<typeof contact>

/** Notes by one person on a lead within this time belong to one call. */
const ONE_CALL_MINUTES = 60

/**
 * Records that a quote was sent to a lead. It counts as a call of the leaseholder, unless they have already recorded an
 * outcome; otherwise the note is filed under `user`.
 */
export async function noteQuoteSent(
  c: Context,
  id: number,
  told: { readonly notes: string; readonly about: string },
  user: number | null,
): Promise<void> {
  const unit = c.withoutPermissionCheck('a lead’s status follows its quote')
  const lead = await unit.lock(contact, id)
  const inCall = isHeldBy(lead, c) && !(await toldOfThisCall(c, id)).length
  await noteOnContact(c, id, inCall ? { ...told, lastResult: RESULT_QUOTE_SENT } : { ...told, user })
  const rest = inCall ? restAfter(lead, c.now) : {}
  await unit.set(contact, lead, { lastResult: RESULT_QUOTE_SENT, outcome: null, ...rest }, 'quote')
}

/** Finds the quote's note that an outcome replaces as the record of the same call, if there is one. */
export async function findQuoteCallNote(c: Context, lead: Lead): Promise<RowOf<typeof note> | undefined> {
  if (lead.lastResult !== RESULT_QUOTE_SENT) return undefined
  return (await toldOfThisCall(c, lead.id)).find((n) => n.lastResult === RESULT_QUOTE_SENT)
}

const isHeldBy = ({ leaseUser, leaseUntil }: Lead, { actor, now }: Context): boolean =>
  leaseUser === actor.userId && leaseUntil !== null && Date.parse(leaseUntil) > now.epochMilliseconds

/** Notes that the current user has added during the current call. */
async function toldOfThisCall(c: Context, id: number): Promise<readonly RowOf<typeof note>[]> {
  const mine = await c
    .withoutPermissionCheck('a call is counted once')
    .find(note, { contact: id, author: author(c.actor).username, retired: false, call: true })
  const since = c.now.subtract({ minutes: ONE_CALL_MINUTES }).epochMilliseconds
  return mine.filter((n) => Date.parse(n.timestamp) > since)
}

/** A due call has been made: the lead is not due again for a while, but a future callback date remains. */
function restAfter({ callbackDate, postcode }: Lead, now: Instant): ValuesOf<typeof contact> {
  if (callbackDate !== null && callbackDate > toUnix(now)) return {}
  return { callbackDate: null, expiry: toUnix(proposedInstant(now, DEFAULT_REST, nationOfPostcode(postcode))) }
}
