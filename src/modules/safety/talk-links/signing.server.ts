import { isDeepStrictEqual } from 'node:util'
import { Problem, problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { isPersonName, isSamePersonName, signatureDrawingProblem, toStoredSignatureDrawing } from '#kernel/signature.ts'
import { londonDate } from '#kernel/time.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { assertNamesWithoutAccount } from '#modules/documents/sharing/link-attempts.server.ts'
import type { LinkSignatureReceipt } from '#modules/documents/signing/hand-words.ts'
import { assertSameEmployer } from '#modules/documents/signing-links/links.server.ts'
import { MAX_LINK_SIGNATURES } from '#modules/documents/signing-links/signing-link.ts'
import { document } from '#modules/documents/types/document.ts'
import { client } from '#modules/portal/clients/client.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import { type CountedAttempt, GuessRevealingProblem } from '#server/auth/attempts.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import { openSecretLink } from '#server/engine/secret-links.ts'
import type { Context, Engine, RecordReader } from '#server/engine/types.ts'
import { isOutstanding } from '../attendance/attendance-text.ts'
import { assertAttendeeLimit, loadAttendees, nextPosition } from '../talks/attendance.server.ts'
import type { DevicePin } from '../talks/device-pin.server.ts'
import { isInForce } from '../talks/in-force.server.ts'
import type { AttendeeDraft } from '../talks/presented-rules.server.ts'
import { PRESENTED_TALKS_PATH } from '../talks/talk-info.ts'
import { attendeeWithTalk, talkAttendance, talkAttendee } from '../talks/toolbox-talk.ts'
import { type FollowedTalkLink, type LinkSignatureInput, settleLinkPin } from './link-pin.server.ts'
import { talkLink } from './talk-link.ts'

type Link = RowOf<typeof talkLink>
type Record = RowOf<typeof talkAttendance>
type Talk = RowOf<typeof document>

type Reading = Pick<RecordReader, 'get' | 'find'>

/**
 * Loads the talk and company of a link, and the reason why the link no longer works, if any. Returns undefined if the
 * talk no longer exists, or if the company no longer exists or is retired.
 */
async function readLinked(c: Reading, engine: Engine, clientId: number, { link, record }: Linked) {
  const [talk, company] = [await c.get(document, record.talk), await c.get(client, clientId)]
  if (!talk || !company || company.retired) return undefined
  const isActive = (await findPackState(c as RecordReader, clientId, 'safety')) === 'active'
  const today = londonDate(engine.clock.now()).toString()
  const sentence = refusalFor({ link, record }, talk, { company: company.company, isActive, today })
  return { clientId, company: company.company, link, record, talk, sentence }
}

interface Linked {
  readonly link: Link
  readonly record: Record
}

/** Returns the reason why the talk can't be signed with this link; an empty string if it can. */
function refusalFor(
  { link, record }: Linked,
  talk: Talk,
  { company, isActive, today }: { readonly company: string; readonly isActive: boolean; readonly today: string },
): string {
  const ask = `Please ask ${company} for a new link.`
  if (link.withdrawnAt) return `${company} has withdrawn this link. ${ask}`
  if (link.until < today) return `This link has expired. ${ask}`
  if (!isActive) return `${company} can’t receive signatures here at the moment. Please sign on paper.`
  if (record.retired) return `${company} has deleted the record of this talk, so it can’t be signed any more.`
  if (record.complete)
    return `The record of this talk is closed and can’t be signed by link any more. If you attended and have not signed, please tell ${company}.`
  if (!isInForce(talk)) return `This talk has been replaced or withdrawn. Please ask ${company} for the current one.`
  if (link.signed >= MAX_LINK_SIGNATURES)
    return `This link has been used for ${MAX_LINK_SIGNATURES} signatures, which is the maximum. ${ask}`
  return ''
}

/** Resolves a link. Throws 404, without details, if the link is unknown or its company has left. */
export const resolveTalkLink = (engine: Engine, token: string | undefined): Promise<FollowedTalkLink> =>
  openSecretLink(engine, token, 'open the link of a talk', async (c, { clientId, id, hasHash }) => {
    const link = await c.get(talkLink, id)
    const record = link && hasHash(link.hash) ? await c.get(talkAttendance, link.presented) : undefined
    return link && record ? readLinked(c, engine, clientId, { link, record }) : undefined
  })

/**
 * Returns the people whose names are shown to the holder of a link: those who have neither signed nor been marked
 * absent.
 */
export const peopleToSign = async (engine: Engine, { clientId, record }: FollowedTalkLink) => {
  const all = await engine.readIn(clientId, 'list the people who have to sign for a talk', (c) =>
    c.find(talkAttendee, { presented: record.id }),
  )
  return all.filter(isOutstanding).map(({ id, name }) => ({ id, name }))
}

/** Notification: a signature in the user's name was given by link, and might have been given by another person. */
export const signedByLinkNotice = declareNotificationType({
  kind: 'talk.signed by link',
  label: 'Talks signed by link in my name',
  for: DOCUMENT_READER_ROLES,
  icon: 'checklist',
  of: attendeeWithTalk,
  words: ({ presented: { title, presenter } }) =>
    `“${title}” was signed by link in your name. If that was not you, speak to ${presenter}`,
  path: ({ presented }) => `${PRESENTED_TALKS_PATH}/${presented.id}`,
  mail: true,
})

/** Validates a signature without the list. Throws 422. */
function readDrawing({ attendee, name, company, strokes }: LinkSignatureInput) {
  const blank = signatureDrawingProblem(strokes, true)
  const wrong = [
    ...(isPersonName(name) ? [] : [violation('name', 'Please enter your full name')]),
    ...(attendee === null && !company ? [violation('company', 'Please enter your company')] : []),
    ...(blank ? [violation('strokes', blank)] : []),
  ]
  if (wrong.length) throw problem.invalid(wrong)
  return toStoredSignatureDrawing('finger', strokes)
}

/**
 * Saves a signature by link on the list of an open record. The signature is never given by an account, even if the chosen
 * person has one. A request that is repeated with the same content has no further effect. Throws 410 if the link no longer
 * works, 409 if the chosen person has signed or another talk was read, and 422 if a person of the same name is known or
 * the chosen person's PIN is missing. `tried`: the attempt to count when the error reveals that a name is known. `pin`:
 * the compared PIN of the chosen person.
 */
export async function saveLinkSignature(
  c: Context,
  { link: opened, clientId }: Pick<FollowedTalkLink, 'link' | 'clientId'>,
  given: LinkSignatureInput,
  { tried, pin }: { readonly tried: CountedAttempt; readonly pin: DevicePin | undefined },
): Promise<() => Promise<LinkSignatureReceipt>> {
  const strokes = readDrawing(given)
  // The record is locked first, as for all signatures, so that the list is read only afterwards.
  const record = await c.lock(talkAttendance, opened.presented)
  const link = await c.lock(talkLink, opened.id)
  const people = await loadAttendees(c, record.id)
  const repeated = await findRepeated(c, people, given, strokes)
  if (repeated) return async () => receiptOf(repeated)
  const linked = await readLinked(c, c.engine, clientId, { link, record })
  if (!linked) throw problem.notFound()
  if (linked.sentence) throw new Problem(410, linked.sentence)
  if (link.opened === 0) throw problem.conflict('Please open the talk and read it before you sign.')
  if (given.talk !== record.talk)
    throw problem.conflict(
      'Another talk has been chosen since you opened this page. Please reload the page and read the new talk.',
    )
  const chosen = given.attendee === null ? undefined : await lockChosen(c, record.id, given)
  const values = {
    ...(chosen ? { pinCheck: await settleLinkPin(c, chosen, pin) } : await readVisitor(c, people, given, tried)),
    method: 'finger' as const,
    strokes,
    signer: null,
    byName: null,
    byLink: true,
    signedAt: c.now.toString(),
  }
  const written = chosen
    ? await c.set(talkAttendee, chosen, values, 'sign')
    : await c
        .withoutPermissionCheck('add the holder of a link to the list')
        .create(talkAttendee, { ...values, presented: record.id, position: nextPosition(people) })
  await c.set(talkAttendance, record, { signed: record.signed + 1 }, 'sign')
  await c.set(talkLink, link, { signed: link.signed + 1 }, 'sign')
  const { id, user } = await written.saved()
  if (user) await notifyUsers(c, signedByLinkNotice, [{ to: user, about: id }])
  return async () => receiptOf(await written.saved())
}

const receiptOf = ({ name, signedAt }: AttendeeDraft): LinkSignatureReceipt => ({
  '@type': 'LinkSignature',
  name: name ?? '',
  signedAt: signedAt ?? '',
})

/**
 * Finds the signature that an earlier request with the same drawing saved for the same person. Throws 409 if that request
 * stated another company or trade.
 */
async function findRepeated(
  c: Context,
  people: readonly AttendeeDraft[],
  { attendee, name, company, trade }: LinkSignatureInput,
  strokes: unknown,
): Promise<AttendeeDraft | undefined> {
  const same = people.find(
    (p) => p.signedAt && (attendee === null ? !p.user && isSamePersonName(p.name ?? '', name) : p.id === attendee),
  )
  const row = same?.id === undefined ? undefined : await c.get(talkAttendee, same.id)
  if (!row?.byLink || !isDeepStrictEqual(row.strokes, strokes)) return undefined
  if (attendee === null) assertSameEmployer(row, { company, trade })
  return row
}

/** Locks and returns the row of the chosen person. Throws 409 if the row can't be signed any more. */
async function lockChosen(c: Context, presented: number, { attendee, name }: LinkSignatureInput) {
  const [row] = await c.lockAll(talkAttendee, { id: attendee ?? 0, presented })
  // The error names nobody, because its reader may have guessed the ID.
  if (!row || !isOutstanding(row) || !isSamePersonName(row.name, name))
    throw problem.conflict(
      'The list has changed since you opened this page: this person has signed or is no longer on it. Please choose your name again.',
    )
  return row
}

/** The message does not state whether the name is on the list or that of an account. */
const NAME_KNOWN =
  'This name is already in use. If it is yours, choose it from the list or speak to the presenter. If you are a different person, add your company after your name'

/** Returns the values of a person who is not on the list. Throws 422 if a person of the same name is known. */
async function readVisitor(
  c: Context,
  people: readonly AttendeeDraft[],
  { name, company, trade }: LinkSignatureInput,
  tried: CountedAttempt,
) {
  if (people.some((p) => isSamePersonName(p.name ?? '', name)))
    throw new GuessRevealingProblem(problem.invalid([violation('name', NAME_KNOWN, 'duplicate')]), tried)
  await assertNamesWithoutAccount(c, new Map([['name', name]]), NAME_KNOWN, tried)
  assertAttendeeLimit(people.length + 1)
  return { name, company, trade, user: null, visitor: true }
}
