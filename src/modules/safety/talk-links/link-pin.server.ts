import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { isSamePersonName } from '#kernel/signature.ts'
import type { document } from '#modules/documents/types/document.ts'
import { readSealedPin } from '#modules/identity/profile/sealed-pin.server.ts'
import { compareSigningPin, readSigningPinState } from '#modules/identity/profile/signing-pin.server.ts'
import { networkForAddress } from '#server/auth/attempts.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { isOutstanding } from '../attendance/attendance-text.ts'
import {
  type DevicePin,
  isForSignature,
  isPinRequired,
  notifyPinLocked,
  settlePinCheck,
  wrongPinMessage,
} from '../talks/device-pin.server.ts'
import { type talkAttendance, talkAttendee } from '../talks/toolbox-talk.ts'
import type { talkLink } from './talk-link.ts'

/** A resolved link with its record and talk. */
export interface FollowedTalkLink {
  readonly clientId: number
  readonly company: string
  readonly link: RowOf<typeof talkLink>
  readonly record: RowOf<typeof talkAttendance>
  readonly talk: RowOf<typeof document>
  /** Reason why the talk can't be signed with this link; empty if it can. */
  readonly sentence: string
}

/** Signature as sent by the holder of a link. */
export interface LinkSignatureInput {
  /** ID of the chosen person's row; null for a person who is not on the list. */
  readonly attendee: number | null
  readonly name: string
  readonly company: string
  readonly trade: string
  readonly strokes: unknown
  /** ID of the talk's document that was read. */
  readonly talk: number
}

/**
 * The message is the same for a missing PIN, another person's PIN and an unset PIN, so that it reveals nothing about
 * the account.
 */
const pinNeeded = (name: string) =>
  problem.invalid([
    violation(
      'pin',
      `If you are ${name}, please enter your signing PIN. Without one, sign under your own account or on the presenter’s device`,
    ),
  ])

/** Finds the chosen person if they have an account, have yet to sign and the company requires PINs. */
const findSignerWithPin = ({ engine }: RouteContext, link: FollowedTalkLink, { attendee, name }: LinkSignatureInput) =>
  engine.readIn(link.clientId, 'find whose PIN is needed by link', async (c) => {
    if (attendee === null || !(await isPinRequired(c, link.clientId))) return undefined
    const [row] = await c.find(talkAttendee, { id: attendee, presented: link.record.id })
    if (!row?.user || !isOutstanding(row) || !isSamePersonName(row.name, name)) return undefined
    return { row: row.id, user: row.user, name: row.name }
  })

/**
 * Compares the PIN sent with a signature by link, outside the transaction that saves the signature, so that the attempt is
 * counted even if the signature is refused. The limits are those of a presenter's device, with the holder's network in
 * place of the presenter. Returns undefined if the signature needs no PIN. Throws 422 for a missing or wrong PIN, because
 * the holder is there to enter it, and 429 while entries are blocked. `notify` runs an operation as the link's holder.
 */
export async function checkLinkPin(
  c: RouteContext,
  link: FollowedTalkLink,
  given: LinkSignatureInput & { readonly pin: string | null },
  notify: (act: (unit: Context) => Promise<() => undefined>) => Promise<unknown>,
): Promise<DevicePin | undefined> {
  const person = link.sentence ? undefined : await findSignerWithPin(c, link, given)
  if (!person) return undefined
  const { user, name } = person
  const signer = { clientId: link.clientId, userId: user }
  const content = given.pin ? await readSealedPin(c.engine, given.pin) : undefined
  const signature = { user, name, document: link.record.talk, record: link.record.id }
  if (!content || !(await isForSignature(content, signature, given.strokes))) throw pinNeeded(name)
  if (!(await readSigningPinState(c.engine, signer)).isSet) throw pinNeeded(name)
  const source = `link from ${networkForAddress(c.request.address)}`
  const entry = { pin: content.pin, source, record: `${link.record.id} by link` }
  const { check, lockedMinutes } = await compareSigningPin(c, signer, entry)
  if (lockedMinutes)
    await notify(async (unit) => {
      await notifyPinLocked(unit, person)
      return () => undefined
    })
  if (check === 'wrong') throw problem.invalid([violation('pin', wrongPinMessage(name, lockedMinutes))])
  if (check === 'none') throw pinNeeded(name)
  return { user, check, refusal: undefined, sealed: given.pin ?? undefined }
}

/**
 * Returns the PIN check to store with a signature by link of a listed person: null without an account, or if the company
 * requires no PIN. Throws 422 unless the PIN was checked for this signature, and was not used before.
 */
export async function settleLinkPin(
  c: Context,
  { user, name }: { readonly user: number | null; readonly name: string },
  pin: DevicePin | undefined,
) {
  const check = user === null ? null : await settlePinCheck(c, user, pin)
  if (check !== null && check !== 'checked') throw pinNeeded(name)
  return check
}
