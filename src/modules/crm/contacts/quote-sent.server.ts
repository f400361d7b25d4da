import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { type Instant, unix } from '#kernel/time.ts'
import { nationOf } from '#kernel/working-days.ts'
import type { Context } from '#server/engine/types.ts'
import { proposedAfter, QUOTE_SENT, REST } from '../outcomes/decide.ts'
import { contact } from './contact.ts'
import { noteOnContact } from './note.server.ts'
import { note } from './note.ts'

type Lead = RowOf<typeof contact>

/** What one person tells of a lead within so long is told of one call. */
const ONE_CALL_MINUTES = 60

/**
 * A lead has been sent a quote. Whoever holds it is speaking with it: that is their call, unless they have told how it ended already.
 * The note stands under `user` otherwise.
 */
export async function noteQuoteSent(
  c: Context,
  id: number,
  told: { readonly notes: string; readonly about: string },
  user: number | null,
): Promise<void> {
  const unit = c.withoutPermissionCheck('a lead stands as its quote does')
  const lead = await unit.lock(contact, id)
  const inCall = isHeldBy(lead, c) && !(await toldOfThisCall(c, id)).length
  await noteOnContact(c, id, inCall ? { ...told, lastResult: QUOTE_SENT } : { ...told, user })
  const rest = inCall ? restAfter(lead, c.now) : {}
  await unit.set(contact, lead, { lastResult: QUOTE_SENT, outcome: null, ...rest }, 'quote')
}

/** An outcome ends the call in which a quote was sent: it is the call then, and not a second one. Its note, where there is one. */
export async function callOfQuote(c: Context, lead: Lead): Promise<RowOf<typeof note> | undefined> {
  if (lead.lastResult !== QUOTE_SENT) return undefined
  return (await toldOfThisCall(c, lead.id)).find((n) => n.lastResult === QUOTE_SENT)
}

const isHeldBy = ({ leaseUser, leaseUntil }: Lead, { actor, now }: Context): boolean =>
  leaseUser === actor.userId && leaseUntil !== null && Date.parse(leaseUntil) > now.epochMilliseconds

/** What whoever acts has told of the call that they are in. */
async function toldOfThisCall(c: Context, id: number): Promise<readonly RowOf<typeof note>[]> {
  const mine = await c
    .withoutPermissionCheck('a call is counted once')
    .find(note, { contact: id, author: author(c.actor).username, retired: false, call: true })
  const since = c.now.subtract({ minutes: ONE_CALL_MINUTES }).epochMilliseconds
  return mine.filter((n) => Date.parse(n.timestamp) > since)
}

/** A call that was due has been made: the lead rests as after any other, but for a date that is still to come. */
function restAfter({ callbackDate, postcode }: Lead, now: Instant): ValuesOf<typeof contact> {
  if (callbackDate !== null && callbackDate > unix(now)) return {}
  return { callbackDate: null, expiry: unix(proposedAfter(now, REST, nationOf(postcode))) }
}
