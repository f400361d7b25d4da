import { problem, violation } from '#kernel/errors.ts'
import type { PinCheck } from '#kernel/signature.ts'
import { isSamePersonName } from '#kernel/signature.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { safetySettings } from '#modules/documents/settings/safety-settings.ts'
import { consumeSealedPin, readSealedPin, signingPinPublicKey } from '#modules/identity/profile/sealed-pin.server.ts'
import {
  blockedPinMessage,
  compareSigningPin,
  findUsersWithSigningPin,
  readSigningPinState,
} from '#modules/identity/profile/signing-pin.server.ts'
import { digestOfDrawing, type SealedPinContent } from '#modules/identity/profile/signing-pin.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { lockAccessibleRecord } from '#server/engine/lock-accessible.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import { RecordNotAccessibleProblem } from '#server/engine/refusals.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import type { AttendanceSignature } from './presented-rules.server.ts'
import { PRESENTED_TALKS_PATH, SIGNING_PINS_PATH, type SigningPins } from './talk-info.ts'
import { attendeeWithTalk, PRESENTER_ROLES, talkAttendance, talkAttendee } from './toolbox-talk.ts'

/** Returns true if the company requires the signer's PIN with a signature on another person's device. */
export const isPinRequired = async (c: Pick<Context, 'get'>, clientId: number): Promise<boolean> =>
  (await c.get(safetySettings, clientId))?.deviceSignatures === 'pin'

/** PIN entered with a signature on the presenter's device, compared before the signature is saved. */
export interface DevicePin {
  /** ID of the person whose PIN was compared. */
  readonly user: number
  readonly check: PinCheck
  /**
   * Reason for asking for the PIN again, if it was entered just now; undefined if the signature is stored regardless.
   */
  readonly refusal: string | undefined
  /** The sealed PIN, if it can be used for this signature. */
  readonly sealed: string | undefined
}

/**
 * Seconds after which a PIN counts as entered offline, as if its request states when the signature was drawn. The person
 * is then no longer there to enter it again.
 */
const IMMEDIATE_SECONDS = 60

const isDelayed = (now: Context['now'], at: string | undefined): boolean =>
  at !== undefined && Temporal.Instant.from(at).until(now).total('seconds') > IMMEDIATE_SECONDS

/** Notification: the PIN entered with a signature did not match or could not be checked. */
export const pinMismatchNotification = declareNotificationType({
  kind: 'talk.pin mismatch',
  label: 'Signing PINs that did not match',
  for: DOCUMENT_READER_ROLES,
  icon: 'checklist',
  of: attendeeWithTalk,
  words: ({ name, byName, pinCheck, presented: { title } }) =>
    `${name}’s signature for “${title}” was drawn on ${byName}’s device, and ${pinCheck === 'wrong' ? 'the signing PIN did not match' : 'no signing PIN could be checked'}. If ${name} did not sign, please contact your administrator`,
  path: ({ presented }) => `${PRESENTED_TALKS_PATH}/${presented.id}`,
  mail: true,
})

/** Notification: entries of the user's PIN are blocked after too many wrong ones, possibly by the presenter. */
export const pinLockedNotification = declareNotificationType({
  kind: 'talk.pin locked',
  label: 'Wrong entries of my signing PIN',
  for: DOCUMENT_READER_ROLES,
  icon: 'shield',
  of: attendeeWithTalk,
  words: ({ presented: { title, presenter } }) =>
    `Too many wrong signing PINs were entered for you at “${title}”, presented by ${presenter}. Your PIN is not accepted there for now, but you can still sign under your own account. If you did not enter them, set a new PIN and contact your administrator`,
  path: ({ presented }) => `${PRESENTED_TALKS_PATH}/${presented.id}`,
  mail: true,
})

/** Finds the row whose person has to enter a PIN. Returns undefined if no PIN is needed or the request will be refused. */
const findRowToSign = ({ engine, me, request }: RouteContext, id: number, { attendee, method }: AttendanceSignature) =>
  engine.inTenant(me.clientId, { actor: me, requestId: request.id }, async (c) => {
    if (attendee === null || method !== 'finger' || !(await isPinRequired(c, c.clientId))) return () => undefined
    const [row] = await c.find(talkAttendee, { id: attendee, presented: id })
    if (!row?.user || row.signedAt || row.user === me.userId) return () => undefined
    const record = await lockAccessibleRecord(c, talkAttendance, 'update', id).catch((e: unknown) => {
      if (e instanceof RecordNotAccessibleProblem) return undefined
      throw e
    })
    if (!record || record.complete || record.retired) return () => undefined
    return () => ({ row: row.id, user: row.user as number, name: row.name, document: record.talk })
  })

/**
 * Compares the PIN sent with a signature on the presenter's device, outside the transaction that saves the signature,
 * so that the attempt is counted even if the signature is refused. Returns undefined if the signature needs no PIN.
 * Throws 429 while entries of the person's PIN are blocked.
 */
export async function checkDevicePin(
  r: RouteContext,
  id: number,
  given: AttendanceSignature,
): Promise<DevicePin | undefined> {
  const { engine, me, now } = r
  const person = await findRowToSign(r, id, given)
  if (!person) return undefined
  const { user, name } = person
  const content = given.pin ? await readSealedPin(engine, given.pin) : undefined
  const unlessOffline = (reason: string) => (given.drawnAt || isDelayed(now, content?.at) ? undefined : reason)
  const result = (check: PinCheck, refusal?: string): DevicePin => ({
    user,
    check,
    refusal,
    sealed: check === 'checked' ? (given.pin ?? undefined) : undefined,
  })
  const signer = { clientId: me.clientId, userId: user }
  if (!(await readSigningPinState(engine, signer)).isSet) return result('none')
  if (!given.pin)
    return result(
      'unchecked',
      unlessOffline(`Your company requires ${name}’s signing PIN. Please ask ${name} to enter it`),
    )
  if (!content || !(await isForSignature(content, { ...person, record: id }, given.strokes)))
    return result(
      'unchecked',
      unlessOffline(`The PIN does not belong to this signature. Please ask ${name} to enter it again`),
    )
  const entry = { pin: content.pin, source: `${me.clientId}.${me.userId}`, record: String(id) }
  const { check, lockedMinutes } = await compareSigningPin(r, signer, entry)
  if (lockedMinutes)
    await engine.inTenant(me.clientId, { actor: me, requestId: r.request.id }, async (c) => {
      await notifyPinLocked(c, person)
      return () => undefined
    })
  return check === 'wrong' ? result(check, unlessOffline(wrongPinMessage(name, lockedMinutes))) : result(check)
}

/** Returns the message about a wrong PIN, which may have blocked further entries for some minutes. */
export const wrongPinMessage = (name: string, lockedMinutes: number): string =>
  lockedMinutes ? blockedPinMessage(name, lockedMinutes) : `This is not ${name}’s signing PIN. Please try again`

/** Notifies a person that entries of their PIN are blocked. `row`: ID of their row on the list. */
export const notifyPinLocked = (c: Context, { row, user }: { readonly row: number; readonly user: number }) =>
  notifyUsers(c, pinLockedNotification, [{ to: user, about: row }])

/** Returns true if a PIN was sealed for this signature. */
export async function isForSignature(
  { user, name, document, record, drawing }: SealedPinContent,
  signature: Omit<SealedPinContent, 'pin' | 'drawing' | 'at'>,
  strokes: unknown,
): Promise<boolean> {
  return (
    (user === null ? isSamePersonName(name, signature.name) : user === signature.user) &&
    document === signature.document &&
    (record === null || record === signature.record) &&
    drawing === (await digestOfDrawing(strokes))
  )
}

/**
 * Returns the PIN check to store with a signature of the account on another person's device; null if the company
 * requires no PIN. Throws 422 if the PIN was entered just now and does not match, and 409 if the list has changed since
 * the PIN was compared. A sealed PIN is accepted once.
 */
export async function settlePinCheck(
  c: Context,
  account: number,
  pin: DevicePin | undefined,
): Promise<PinCheck | null> {
  if (!(await isPinRequired(c, c.clientId))) return null
  if (pin?.user !== account) throw problem.conflict('The attendance list has just changed. Please sign again.')
  if (pin.refusal) throw problem.invalid([violation('pin', pin.refusal)])
  if (pin.sealed !== undefined && !(await consumeSealedPin(c, pin.sealed))) return 'unchecked'
  return pin.check
}

/** Notifies the person and the presenter of a signature whose PIN did not match or could not be checked. */
export async function notifyPinMismatch(c: Context, row: number, account: number, check: PinCheck | null) {
  if (check !== 'wrong' && check !== 'unchecked') return
  await notifyUsers(c, pinMismatchNotification, [
    { to: account, about: row },
    { to: c.actor.userId, about: row },
  ])
}

/** Route that returns the data with which the presenter's device can ask for PINs, even without a connection. */
export const signingPinsRoute: Route = {
  method: 'GET',
  path: SIGNING_PINS_PATH,
  title: 'Get whether signatures on the presenter’s device need a PIN, the key to seal it for, and who has one',
  allow: PRESENTER_ROLES,
  handle: async ({ engine, me, now }): Promise<SigningPins & Record<string, unknown>> => {
    const required = await engine.readIn(me.clientId, 'read whether a signing PIN is required', (c) =>
      isPinRequired(c, me.clientId),
    )
    return {
      required,
      publicKey: signingPinPublicKey(engine),
      people: required ? await findUsersWithSigningPin(engine, me.clientId) : [],
      now: now.toString(),
    }
  },
}
