import type { Address, Email } from 'postal-mime'
import type { HtmlNode } from '#kernel/text/html.ts'
import { normaliseEmail } from '#kernel/validate.ts'
import { sanitiseText } from '#server/http/clean.ts'
import { parseHtml } from '#server/parse-html.ts'

/** A delivery failure report (RFC 3464). */
interface BounceReport {
  /** Enhanced status code (RFC 3463), for example `5.1.1`. */
  readonly status: string
  readonly reason: string
}

export interface ReceivedMail {
  readonly from: string
  readonly to: string
  readonly subject: string
  /** The text that the sender wrote, as plain text without quoted e-mails. */
  readonly text: string
  /** Identifier that is the same for repeated deliveries of the same e-mail. */
  readonly identity: string
  readonly bounce: BounceReport | undefined
  /**
   * The portal's own e-mail to which this one is a reply or failure report, found by the Message-IDs that this one
   * contains.
   */
  readonly original: { readonly clientId: number; readonly id: number; readonly token: string } | undefined
}

/** Maximum nesting of MIME parts. E-mails from people are never nested more deeply. */
const MAX_NESTING = 20
/** Maximum number of lines that could be MIME boundaries. A message with more is an attempt to slow the server down. */
const MAX_BOUNDARY_LINES = 2000

/**
 * Parses an e-mail (RFC 5322, MIME). Returns `undefined` if it does not have the structure of an e-mail, or has more
 * than `MAX_BOUNDARY_LINES` lines that could be MIME boundaries.
 */
export async function readMail(raw: Buffer): Promise<ReceivedMail | undefined> {
  const boundaryLines = raw.toString('latin1').match(/^--/gm)?.length ?? 0
  if (boundaryLines > MAX_BOUNDARY_LINES) return undefined
  // Loaded when the first e-mail arrives, because most processes never receive one.
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(raw, {
    // An enclosed e-mail is evidence of a bounce, not text written by the sender.
    forceRfc822Attachments: true,
    maxNestingDepth: MAX_NESTING,
  }).catch(() => undefined)
  if (!mail) return undefined
  const [from, to, text] = [addressOf(mail.from), addressOf(mail.to?.[0]), extractReplyText(mail)]
  return {
    from,
    to,
    text,
    subject: sanitiseText(mail.subject ?? ''),
    identity: mail.messageId ?? `${from} ${mail.date} ${text}`,
    bounce: bounceOf(mail),
    original: originalOf(mail),
  }
}

const addressOf = (address: Address | undefined): string =>
  normaliseEmail(sanitiseText(address?.address ?? address?.group?.[0]?.address ?? '')).toLowerCase()

/** Returns the text of the attachments that have one of these types. */
const attachedTextOf = (mail: Email, ...types: string[]): string[] =>
  mail.attachments
    .filter(({ mimeType }) => types.includes(mimeType))
    .map(({ content }) =>
      sanitiseText(typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('latin1')),
    )

/**
 * Returns the text before the quoted e-mail. The reply ends at the line with which mail programs introduce a quotation.
 */
function extractReplyText({ text, html }: Email): string {
  const all = sanitiseText(text ?? textOf(parseHtml(html ?? ''))).replace(/\r\n?/g, '\n')
  const [reply = ''] = all.split(/\n(?:On .{5,200} wrote:|-{3,} ?Original Message|_{20,})/)
  return reply
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const LINE_ELEMENTS = new Set(['p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'table', 'ul', 'ol'])

/** Returns the readable text in parsed HTML, without block quotations. */
function textOf(nodes: readonly HtmlNode[]): string {
  const text = nodes.map((node) => {
    if (typeof node === 'string') return node.replace(/\s+/g, ' ')
    if (node.tag === 'blockquote') return ''
    if (node.tag === 'br') return '\n'
    return LINE_ELEMENTS.has(node.tag) ? `\n${textOf(node.children).trim()}\n` : textOf(node.children)
  })
  return text.join('')
}

function bounceOf(mail: Email): BounceReport | undefined {
  const [report] = attachedTextOf(mail, 'message/delivery-status')
  if (!report || !/^action:[ \t]*failed/im.test(report)) return undefined
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*(?:[\\w-]+;)?[ \\t]*(.*)$`, 'im').exec(report)?.[1]?.trim() ?? ''
  return {
    status: field('Status'),
    reason: field('Diagnostic-Code') || field('Status'),
  }
}

function originalOf(mail: Email): ReceivedMail['original'] {
  // The received e-mail's own Message-ID is never one of the portal's, but those of returned e-mails may be.
  const returned = attachedTextOf(mail, 'message/rfc822', 'text/rfc822-headers')
  const ids = [mail.inReplyTo, mail.references, ...returned].join(' ')
  const [, clientId, id, token] = /<letter\.(\d{1,9})\.(\d{1,15})\.([0-9a-f]{32})@/.exec(ids) ?? []
  return clientId && id && token ? { clientId: Number(clientId), id: Number(id), token } : undefined
}
