import { foldEmail } from '#kernel/validate.ts'
import { sanitiseFileName } from '#server/files/plain-name.ts'
import { sanitiseText } from '#server/http/clean.ts'
import { parseHtml } from '#server/parse-html.ts'
import { hasTightParagraphs, linesOfHtml, linesOfText, type MailLine, splitReply } from '../received-mail/reply-text.ts'
import {
  bestReport,
  type CalendarAnswer,
  type DeliveryReport,
  isAutomatic,
  MAX_TEXT_CHARACTERS,
  parseCalendar,
  parseDeliveryReports,
  parseReadReceipt,
  type ReceivedKind,
} from '../received-mail/reports.ts'
import { decodeBody, decodeText, MimeLimitError, type MimePart, parseMime } from './mime.server.ts'

/** A file in a received e-mail. */
interface ReceivedMailFile<Content> {
  readonly name: string
  /** Content type that the sender declared. */
  readonly type: string
  readonly content: Content
}

/** A received e-mail. `Content` is the type of the files' content: bytes, or a file on disk. */
export interface ReceivedMail<Content = Buffer> {
  readonly kind: ReceivedKind
  readonly from: string
  /** The sender's name; empty if there is none. */
  readonly fromName: string
  readonly to: string
  readonly subject: string
  /** Beginning of the sender's own text, as shown: plain text without quoted e-mails. */
  readonly text: string
  /** The rest of the text: quoted e-mails and the signature. */
  readonly quoted: string
  /** The sender's own text in full, as far as it was read. */
  readonly wholeText: string
  /** True if a text part was too long to be read to its end. */
  readonly isCut: boolean
  /** Texts that are too long to be shown in full, as files. */
  readonly longTexts: readonly ReceivedMailFile<Content>[]
  readonly files: readonly ReceivedMailFile<Content>[]
  /** Number of small pictures shown in the text itself, such as a logo in the signature. They are not stored. */
  readonly inlinePictures: number
  /** Sentences about what could not be read as declared, or was not checked. */
  readonly remarks: readonly string[]
  readonly calendar: CalendarAnswer | undefined
  /** Identifier that is the same for repeated deliveries of the same e-mail. */
  readonly identity: string
  /** Reports about the delivery of the original e-mail, by recipient. */
  readonly reports: readonly DeliveryReport[]
  /** Status code and reason if the original e-mail was returned. */
  readonly bounce: { readonly status: string; readonly reason: string } | undefined
  /**
   * The portal's own e-mail to which this one is a reply or failure report, found by the Message-IDs that this one
   * contains.
   */
  readonly original: { readonly clientId: number; readonly id: number; readonly token: string } | undefined
}

/** Maximum size in bytes of an inline picture that is treated as part of a signature. */
const MAX_SIGNATURE_PICTURE = 64 * 1024
/** Maximum length of a text part that is read, in characters. A longer part is also stored as a file. */
const MAX_PART_LENGTH = 1_000_000

/** Contents of an e-mail's parts. */
interface Contents {
  readonly text: MailLine[]
  readonly files: { readonly part: MimePart; readonly isInline: boolean }[]
  /** Texts that are too long to be shown, as files. */
  readonly longTexts: ReceivedMailFile<Buffer>[]
  /** Content-IDs that the HTML text refers to. */
  readonly shown: Set<string>
  readonly remarks: Set<string>
  /** Parts of a `multipart/report`. A report anywhere else is treated like any other file. */
  readonly reportParts: ReadonlySet<MimePart>
  readonly reports: DeliveryReport[]
  /** Headers of returned e-mails, and Message-IDs in reports. */
  readonly returned: string[]
  isCut: boolean
  kind: ReceivedKind | undefined
  calendar: CalendarAnswer | undefined
}

/**
 * Parses an e-mail (RFC 5322, MIME). Returns `undefined` if it has too many parts or nesting levels for an e-mail that a
 * person has sent.
 */
export async function readMail(raw: Buffer): Promise<ReceivedMail | undefined> {
  try {
    return describeMail(parseMime(raw))
  } catch (e) {
    if (e instanceof MimeLimitError) return undefined
    throw e
  }
}

function describeMail(mail: MimePart): ReceivedMail {
  const { headers } = mail
  const contents: Contents = {
    text: [],
    files: [],
    longTexts: [],
    shown: new Set(),
    remarks: new Set(),
    reportParts: new Set(mail.type === 'multipart/report' ? mail.children : []),
    reports: [],
    returned: [],
    isCut: false,
    kind: undefined,
    calendar: undefined,
  }
  collect(mail, contents, false)
  const split = splitReply(contents.text)
  const { files, inlinePictures } = filesOf(contents)
  const report = bestReport(contents.reports)
  const { name: fromName, address } = headers.mailbox('from')
  const from = foldEmail(address)
  const text = split.text.slice(0, MAX_TEXT_CHARACTERS)
  const quoted = split.quoted.slice(0, MAX_TEXT_CHARACTERS)
  if (text !== split.text || quoted !== split.quoted)
    addLongText(contents, 'E-mail text.txt', [split.text, split.quoted].join('\n\n'))
  return {
    kind: report?.action ?? contents.kind ?? kindOf(mail, contents),
    from,
    fromName: fromName.slice(0, 200),
    to: foldEmail(headers.mailbox('to').address),
    subject: headers.words('subject'),
    text,
    quoted,
    wholeText: split.text,
    isCut: contents.isCut,
    longTexts: contents.longTexts,
    files,
    inlinePictures,
    remarks: [...contents.remarks],
    calendar: contents.calendar,
    identity: headers.get('message-id') || `${from} ${toIsoDate(headers.get('date'))} ${text}`,
    reports: contents.reports,
    bounce: report?.action === 'failed' ? { status: report.status, reason: report.reason } : undefined,
    original: originalOf(mail, contents),
  }
}

function toIsoDate(date: string): string {
  const time = Date.parse(date.replace(/\(.*/, ''))
  return Number.isNaN(time) ? date.slice(0, 100) : new Date(time).toISOString()
}

function kindOf({ headers }: MimePart, { calendar }: Contents): ReceivedKind {
  if (calendar) return 'calendar'
  return isAutomatic((name) => headers.get(name)) ? 'automatic' : 'answer'
}

/** True if a part belongs to the text: it is not declared as an attachment and has no file name. */
const isBody = ({ type, disposition, name }: MimePart): boolean =>
  (type === 'text/plain' || type === 'text/html') && disposition !== 'attachment' && !name

/** Collects the text, files and reports in a part. `isInline` is true within `multipart/related`. */
function collect(part: MimePart, to: Contents, isInline: boolean): void {
  const { type, children } = part
  if (type === 'multipart/alternative') collectAlternative(part, to, isInline)
  else if (type === 'multipart/signed' && children.length) collectSigned(part, to, isInline)
  else if (children.length) for (const child of children) collect(child, to, isInline || type === 'multipart/related')
  else if (isBody(part)) addText(part, to)
  else if (!collectReport(part, to) && !collectCalendar(part, to)) addFile(part, to, isInline)
}

/**
 * Collects a text that is sent in several forms: the plain form if it contains any text, otherwise the HTML form.
 * Collects the files of all forms.
 */
function collectAlternative({ children }: MimePart, to: Contents, isInline: boolean): void {
  const forms = children.map((child) => {
    const own: Contents = { ...to, text: [], files: [], shown: new Set(), remarks: new Set() }
    collect(child, own, isInline)
    return own
  })
  const chosen = forms.find(({ text }) => text.some((line) => line.text.trim())) ?? forms[0]
  for (const form of forms) {
    to.files.push(...form.files)
    for (const id of form.shown) to.shown.add(id)
    if (form === chosen || form.text.length === 0) for (const remark of form.remarks) to.remarks.add(remark)
    to.calendar ??= form.calendar
    to.kind ??= form.kind
    to.isCut ||= form.isCut && form === chosen
  }
  to.text.push(...(chosen?.text ?? []))
}

/** Collects the parts of a signed e-mail. A remark mentions the signature, which is not stored. */
function collectSigned({ children: [signed, ...signatures] }: MimePart, to: Contents, isInline: boolean): void {
  if (signed) collect(signed, to, isInline)
  for (const part of signatures) {
    const kind = /pgp/.test(part.type) ? 'PGP' : /pkcs7/.test(part.type) ? 'S/MIME' : ''
    if (kind) to.remarks.add(`The e-mail is signed with ${kind}. The signature was not checked.`)
    else collect(part, to, isInline)
  }
}

function addText(part: MimePart, to: Contents): void {
  const { text: all, guessed } = decodeText(part)
  if (guessed !== undefined)
    to.remarks.add(
      `The text is not in the character set that it declares (${sanitiseText(guessed).slice(0, 40)}). Some characters may be wrong.`,
    )
  if (to.text.length) to.text.push({ text: '', level: 0, isSignature: false })
  const text = all.slice(0, MAX_PART_LENGTH)
  to.isCut ||= text !== all
  if (text !== all) addLongText(to, part.type === 'text/html' ? 'E-mail page.txt' : 'E-mail text.txt', all)
  if (part.type === 'text/plain') {
    for (const line of linesOfText(text)) to.text.push(line)
    return
  }
  for (const [, id = ''] of text.matchAll(/cid:([^"'\s>)]{1,200})/gi)) to.shown.add(id)
  for (const line of linesOfHtml(parseHtml(text, { attributes: true }), hasTightParagraphs(text))) to.text.push(line)
}

function addLongText(to: Contents, name: string, text: string): void {
  if (to.longTexts.some((one) => one.content.length > Buffer.byteLength(text))) return
  to.longTexts.push({ name, type: 'text/plain', content: Buffer.from(text) })
}

/** Collects a report about an e-mail from the portal (RFC 6522). Returns false for any other part. */
function collectReport(part: MimePart, to: Contents): boolean {
  if (!to.reportParts.has(part)) return false
  const text = () => sanitiseText(decodeBody(part).toString('utf8', 0, MAX_PART_LENGTH))
  switch (part.type) {
    case 'message/delivery-status':
    case 'message/global-delivery-status':
      to.reports.push(...parseDeliveryReports(text()))
      return true
    case 'message/disposition-notification':
    case 'message/global-disposition-notification': {
      const { kind, about } = parseReadReceipt(text())
      to.kind ??= kind
      to.returned.push(about)
      return true
    }
    case 'text/rfc822-headers':
    case 'message/global-headers':
      to.returned.push(text())
      return true
    case 'message/feedback-report':
      to.kind ??= 'automatic'
      return true
    default:
      return false
  }
}

/** Collects a calendar. Returns false for any other part. */
function collectCalendar(part: MimePart, to: Contents): boolean {
  if (part.type !== 'text/calendar' && !(part.type === 'application/ics' && to.calendar)) return false
  const found = parseCalendar(decodeText(part).text, part.params.method)
  to.calendar ??= found
  return found !== undefined
}

function addFile(part: MimePart, to: Contents, isInline: boolean): void {
  if (/^(message\/rfc822|text\/rfc822-headers|message\/global-headers)$/.test(part.type))
    to.returned.push(part.body.toString('latin1', 0, MAX_TEXT_CHARACTERS))
  if (part.type === 'application/ms-tnef')
    to.remarks.add(
      'The e-mail was sent in Outlook’s own format. Its text or files may be in winmail.dat: ask the sender to send them as HTML or plain text.',
    )
  if (/^application\/(x-)?pkcs7-mime$/.test(part.type) || part.type === 'application/pgp-encrypted')
    to.remarks.add('The e-mail is encrypted, or signed in a form that the portal can’t read.')
  to.files.push({ part, isInline: isInline || part.disposition === 'inline' })
}

/**
 * Returns the attached files. Small pictures shown in the text are only counted, and a returned e-mail is not treated
 * as a file.
 */
function filesOf({
  files,
  shown,
  reportParts,
  reports,
  kind,
}: Contents): Pick<ReceivedMail, 'files' | 'inlinePictures'> {
  let inlinePictures = 0
  const isReport = reports.length > 0 || kind !== undefined
  const kept = files.flatMap(({ part, isInline }) => {
    const isReturned = part.type === 'message/rfc822' || part.type === 'message/global'
    if (isReport && isReturned && reportParts.has(part)) return []
    const content = decodeBody(part)
    const isShown = part.contentId !== '' && shown.has(part.contentId)
    if (isInline && isShown && part.type.startsWith('image/') && content.length <= MAX_SIGNATURE_PICTURE) {
      inlinePictures++
      return []
    }
    return [{ name: nameOf(part), type: part.type, content }]
  })
  return { files: kept, inlinePictures }
}

/** File extensions for parts without a name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'message/rfc822': 'eml',
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'message/delivery-status': 'txt',
  'message/disposition-notification': 'txt',
  'message/feedback-report': 'txt',
  'text/rfc822-headers': 'txt',
  'text/plain': 'txt',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/calendar': 'ics',
  'application/ms-tnef': 'dat',
}

/** Returns the part's file name. A forwarded e-mail without a name is named after its subject. */
function nameOf({ name, type, body }: MimePart): string {
  if (type === 'message/rfc822') {
    const subject = name.replace(/\.eml$/i, '') || parseMimeSubject(body)
    return sanitiseFileName(`${subject.replace(/[/\\]/g, '-').slice(0, 120) || 'Forwarded e-mail'}.eml`)
  }
  const extension = EXTENSIONS[type]
  return sanitiseFileName(name, extension ? `Attachment.${extension}` : 'Attachment')
}

function parseMimeSubject(body: Buffer): string {
  try {
    return parseMime(body.subarray(0, MAX_TEXT_CHARACTERS)).headers.words('subject')
  } catch {
    return ''
  }
}

const OWN_ID = /<letter\.(\d{1,9})\.(\d{1,15})\.([0-9a-f]{32})@/g

/** Finds the portal's own e-mail that this one answers or reports on. */
function originalOf({ headers }: MimePart, { returned, reports, kind }: Contents): ReceivedMail['original'] {
  // An e-mail from the portal that comes back unchanged is not an answer to itself.
  if (headers.get('message-id').search(OWN_ID) >= 0) return undefined
  const idsIn = (text: string) => [...text.matchAll(OWN_ID)]
  const referred = [...idsIn(headers.get('in-reply-to')).slice(0, 1), ...idsIn(headers.get('references')).reverse()]
  const inReport = returned.flatMap(idsIn)
  const isReport = reports.length > 0 || kind !== undefined
  const [first] = isReport ? [...inReport, ...referred] : [...referred, ...inReport]
  const [, clientId, id, token] = first ?? []
  return clientId && id && token ? { clientId: Number(clientId), id: Number(id), token } : undefined
}
