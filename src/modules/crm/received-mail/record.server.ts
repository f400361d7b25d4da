import { createHash } from 'node:crypto'
import type { RowOf } from '#kernel/resource.ts'
import { idFromIri, iriOf } from '#kernel/resource.ts'
import { runWithFileCleanup } from '#modules/portal/files/upload.server.ts'
import type { Context, Engine, WriteRequest } from '#server/engine/types.ts'
import { addNoteToContact } from '../contacts/note.server.ts'
import { suppressAddress } from '../mail/incoming.server.ts'
import { mailAttachment, mailMessage } from '../mail/message.ts'
import { siteVisit } from '../site-visits/site-visit.ts'
import { type Mail, type StoredFiles, storeMailFiles } from './files.server.ts'
import { removePersonalLinks } from './personal-links.server.ts'
import {
  decisiveReport,
  describeCalendarAnswer,
  describeStart,
  isAddressGone,
  MAX_TEXT_CHARACTERS,
  type ReceivedKind,
} from './reports.ts'

type Message = RowOf<typeof mailMessage>

/** A received e-mail, with the portal's own e-mail to which it belongs. */
interface ReceivedMailInput {
  readonly clientId: number
  readonly change: WriteRequest
  readonly ours: Message
  readonly mail: Mail
}

/**
 * Maximum length, in characters, of a reply's text that is searched for personal links. Text beyond it is not stored.
 */
const MAX_CHECKED_CHARACTERS = 200_000
/** Maximum lengths of the fields of an e-mail, in characters. The first also applies to the sender. */
const MAX_SUBJECT_LENGTH = 255
const MAX_RECIPIENT_LENGTH = 254
/** Maximum length of the text in a lead's note, in characters. The e-mail itself contains the full text. */
const MAX_NOTE_CHARACTERS = 2000

/**
 * Records a received e-mail: a reply with its files, or a report about the original e-mail. A report that does not name
 * the recipient of the original is recorded as an automatic reply. Its files are inspected and stored before the
 * transaction begins. Throws 503 if they can't be scanned for viruses at the moment, and 429 if too many pictures are
 * waiting.
 */
export async function recordReceivedMail(engine: Engine, { clientId, change, ours, mail: given }: ReceivedMailInput) {
  const readable = ours.confidential ? await withoutPersonalLinks(engine, clientId, given) : given
  const report = decisiveReport(readable.reports, ours.recipient ?? '')
  const kind = report?.action ?? (readable.reports.length ? 'automatic' : readable.kind)
  const bounce = kind === 'failed' ? report : undefined
  const answer = bounce ? { bounced: true } : {}
  const mail = { ...readable, kind }
  if (await isKnown(engine, clientId, ours.id, mail)) return { taken: false, ...answer }
  return runWithFileCleanup(engine.config, async (kept, discard) => {
    const files = await storeMailFiles(engine, clientId, ours, mail, kept)
    const { added, taken } = await engine.inTenant(clientId, change, async (unit) => {
      const isNewBounce = bounce !== undefined && (await recordBounce(unit, ours.id, bounce))
      const isEmpty = !mail.text && mail.files.length === 0
      const isAdded = !(bounce && isEmpty) && (await addReceivedMail(unit, ours.id, mail, files, report?.reason ?? ''))
      return () => ({ added: isAdded, taken: isNewBounce || isAdded })
    })
    if (!added) await discard()
    return { taken, ...answer }
  })
}

/**
 * Returns a reply to an e-mail with a personal link, without links and quoted text. For a long text, the file contains
 * only what the sender wrote.
 */
async function withoutPersonalLinks(engine: Engine, clientId: number, given: Mail): Promise<Mail> {
  const wholeText = given.wholeText.slice(0, MAX_CHECKED_CHARACTERS)
  const clean = await removePersonalLinks(engine, clientId, { ...given, wholeText, text: '', quoted: '' })
  return {
    ...clean,
    identity: given.identity,
    text: clean.wholeText.slice(0, MAX_TEXT_CHARACTERS),
    isCut: given.isCut || wholeText !== given.wholeText,
    longTexts: [],
    remarks: [...clean.remarks, 'Links and quoted text are not stored: the original contained a personal link.'],
  }
}

/** Returns the identifier of a received e-mail in the thread of the original e-mail. */
const foreignIdOf = (original: number, { identity }: Mail): string =>
  createHash('sha256').update(`${original} ${identity}`).digest('hex')

/** True if the same e-mail has already been recorded. */
const isKnown = (engine: Engine, clientId: number, original: number, mail: Mail): Promise<boolean> =>
  engine.db.tx({ clientId }, async (tx) => {
    const rows = await tx.rows('SELECT 1 FROM message WHERE client_id = $1 AND foreign_id = $2', [
      clientId,
      foreignIdOf(original, mail),
    ])
    return rows.length > 0
  })

/**
 * Records that an e-mail bounced and adds a note to its lead. If the report says that the recipient's address does not
 * exist, the address is suppressed. Returns false if the bounce has already been recorded.
 */
async function recordBounce(
  c: Context,
  id: number,
  { status, reason }: { readonly status: string; readonly reason: string },
): Promise<boolean> {
  const row = await c.lock(mailMessage, id)
  if (row.state === 'bounced') return false
  const why = reason || 'no reason given'
  await c.set(mailMessage, row, { state: 'bounced', error: why.slice(0, 255) }, 'bounce')
  if (isAddressGone({ status, reason }) && row.recipient)
    await suppressAddress(c, { address: row.recipient, reason: 'bounced', detail: why.slice(0, 300), message: id })
  if (row.contact !== null)
    await addNoteToContact(c, row.contact, {
      notes: `The e-mail “${row.subject}” to ${row.recipient} was returned: ${why}`.slice(0, MAX_NOTE_CHARACTERS),
      about: iriOf(mailMessage, id),
    })
  return true
}

/**
 * Adds a received e-mail to the thread of the original e-mail, and a note to its lead. Returns false if the same e-mail
 * has already been added.
 */
async function addReceivedMail(
  c: Context,
  id: number,
  mail: Mail,
  { stored, refused, remark }: StoredFiles,
  reason: string,
): Promise<boolean> {
  const row = await c.lock(mailMessage, id)
  const visit = await findVisit(c, row, mail)
  const statement = statementOf(row, mail, reason, visit)
  const sender = mail.from.slice(0, MAX_SUBJECT_LENGTH)
  const [kept] = await c.work.tx.rows<{ id: number }>(
    `INSERT INTO message (client_id, recipient, sender, subject, body, state, incoming, kind, quoted, attachments, refused_files, inline_pictures, remarks,
       contact_id, account_id, user_id, about, confidential, answer_to, foreign_id, created_at)
     VALUES ($1, $2, $3, $4, $5, 'received', true, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, portal_now())
     ON CONFLICT (client_id, foreign_id) WHERE foreign_id IS NOT NULL DO NOTHING RETURNING id`,
    [
      c.clientId,
      mail.to.slice(0, MAX_RECIPIENT_LENGTH),
      sender,
      mail.subject.slice(0, MAX_SUBJECT_LENGTH),
      [statement && `${statement.charAt(0).toUpperCase()}${statement.slice(1)}.`, mail.text]
        .filter(Boolean)
        .join('\n\n'),
      mail.kind,
      mail.quoted,
      stored.map(({ name }) => name),
      JSON.stringify(refused),
      mail.inlinePictures,
      [...(remark ? [remark] : []), ...mail.remarks, ...remarksOnLength(mail)],
      row.contact,
      row.account ?? visit?.account ?? null,
      row.user,
      // An answer is visible to the same people as the e-mail that it answers.
      row.about,
      row.confidential,
      row.id,
      foreignIdOf(id, mail),
    ],
  )
  if (!kept) return false
  for (const file of stored)
    await c
      .withoutPermissionCheck('files are stored with their e-mail')
      .create(mailAttachment, { ...file, message: kept.id, userId: row.user })
  c.work.touched.add('message')
  const isAboutOthers = mail.reports.length > 0 && mail.kind === 'automatic'
  if (!isAboutOthers) await setDelayed(c, row, mail.kind, reason)
  // The note about a bounce says that the e-mail was returned, and links to it.
  if (row.contact !== null && mail.kind !== 'failed')
    await addNoteToContact(c, row.contact, {
      notes: noteOf(row, { ...mail, from: sender }, statement),
      about: iriOf(mailMessage, kept.id),
    })
  return true
}

/** Returns a remark for each part of an e-mail that was cut because it is too long for its field. */
function remarksOnLength({ subject, from, to }: Mail): string[] {
  const parts = [
    ['subject', subject, MAX_SUBJECT_LENGTH],
    ['sender’s address', from, MAX_SUBJECT_LENGTH],
    ['recipient’s address', to, MAX_RECIPIENT_LENGTH],
  ] as const
  return parts.flatMap(([what, text, max]) =>
    text.length > max ? [`The ${what} is longer than ${max} characters. Only its beginning is stored.`] : [],
  )
}

/** Marks a sent e-mail as delayed, until another report or a reply shows that it has arrived. */
async function setDelayed(c: Context, row: Message, kind: ReceivedKind, reason: string): Promise<void> {
  if (row.state !== 'sent' || (kind !== 'delayed' && !row.error)) return
  const error = kind === 'delayed' ? `Delayed: ${reason || 'no reason given'}`.slice(0, 255) : null
  await c.set(mailMessage, row, { error }, 'delivery')
}

/**
 * Finds the site visit that an e-mail is about: the original e-mail's visit or, by its time, another visit to that
 * client.
 */
async function findVisit(c: Context, row: Message, { calendar, from }: Mail) {
  const id = Number(idFromIri(siteVisit, row.about ?? ''))
  if (id) return c.get(siteVisit, id)
  if (!calendar?.start.endsWith('Z')) return undefined
  const planned = await c.find(siteVisit, { startsAt: calendar.start, state: 'planned' })
  return planned.find(
    ({ account, email }) => (row.account !== null && account === row.account) || email?.toLowerCase() === from,
  )
}

/** Describes the content of a report or calendar answer, for use within a sentence; empty for a reply. */
function statementOf(
  { subject, recipient }: Message,
  { kind, calendar }: Mail,
  reason: string,
  visit: RowOf<typeof siteVisit> | undefined,
): string {
  const email = `the e-mail “${subject}” to ${recipient}`
  switch (kind) {
    case 'calendar':
      return calendar ? describeAnswer(calendar, visit) : ''
    case 'delayed':
      return `${email} is delayed${reason ? ` (${reason.slice(0, 500)})` : ''}. The mail server is still trying`
    case 'delivered':
      return `a mail server confirmed the delivery of ${email}`
    case 'relayed':
      return `${email} was passed on to a mail server that does not confirm delivery`
    case 'expanded':
      return `${email} was passed on to the members of a list`
    case 'displayed':
      return `a read receipt says that ${email} was displayed`
    case 'deleted':
      return `a read receipt says that ${email} was deleted without being displayed`
    default:
      return ''
  }
}

function describeAnswer(calendar: NonNullable<Mail['calendar']>, visit: RowOf<typeof siteVisit> | undefined): string {
  if (!visit) return describeCalendarAnswer(calendar, /visit/i.test(calendar.summary) ? 'visit' : 'appointment')
  const what = `visit on ${describeStart(Temporal.Instant.from(visit.startsAt).toString())}`
  const isOtherTime = calendar.answer === 'proposed'
  return describeCalendarAnswer(
    { ...calendar, summary: visit.purpose ?? '', start: isOtherTime ? calendar.start : '' },
    what,
  )
}

/** Writes the text of a lead's note about a received e-mail. */
function noteOf({ subject }: Message, { kind, from, text }: Mail, statement: string): string {
  const words = text || 'No new text.'
  const whole =
    kind === 'answer'
      ? `${from} replied to “${subject}”:\n${words}`
      : kind === 'automatic'
        ? `Automatic reply from ${from} to “${subject}”:\n${words}`
        : kind === 'calendar'
          ? [`${from} ${statement}.`, text].filter(Boolean).join('\n')
          : `${statement.charAt(0).toUpperCase()}${statement.slice(1)}.`
  return whole.length > MAX_NOTE_CHARACTERS ? `${whole.slice(0, MAX_NOTE_CHARACTERS)}…` : whole
}
