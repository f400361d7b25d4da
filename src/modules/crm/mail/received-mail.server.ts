import type { Address, Email } from 'postal-mime'
import type { HtmlNode } from '#kernel/text/html.ts'
import { sanitiseText } from '#server/http/clean.ts'
import { parseHtml } from '#server/parse-html.ts'

/** Delivery failure report (RFC 3464). */
interface BounceReport {
  /** Enhanced status code (RFC 3463), for example `5.1.1`. */
  readonly status: string
  readonly reason: string
}

/** E-mail that the portal received. */
export interface ReceivedMail {
  readonly from: string
  readonly to: string
  readonly subject: string
  /** The author's text as plain text, without quotations. */
  readonly text: string
  /** Value that a repeated delivery of the same e-mail shares. */
  readonly identity: string
  readonly bounce: BounceReport | undefined
  /** The portal's own e-mail that this one answers or returns, found by the Message-IDs that it refers to. */
  readonly original: { readonly clientId: number; readonly id: number; readonly token: string } | undefined
}

/** Nesting limit of MIME parts: e-mails that people send are never deeper. */
const MAX_NESTING = 20
/** Maximum number of lines that may be the boundary of a part. A message with more is an attempt to slow the server down. */
const MAX_BOUNDARY_LINES = 2000

/** Reads an e-mail (RFC 5322, MIME). Returns `undefined` if its structure is not that of an e-mail. */
export async function readMail(raw: Buffer): Promise<ReceivedMail | undefined> {
  const boundaryLines = raw.toString('latin1').match(/^--/gm)?.length ?? 0
  if (boundaryLines > MAX_BOUNDARY_LINES) return undefined
  // Loaded with the first e-mail, as most processes never receive one.
  const { default: PostalMime } = await import('postal-mime')
  try {
    const mail = await PostalMime.parse(raw, {
      // An enclosed e-mail is evidence of a bounce, not a text of the sender.
      forceRfc822Attachments: true,
      maxNestingDepth: MAX_NESTING,
    })
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
  } catch {
    return undefined
  }
}

const addressOf = (address: Address | undefined): string =>
  sanitiseText(address?.address ?? address?.group?.[0]?.address ?? '').toLowerCase()

/** Text of the attachments of these types. */
const attachedTextOf = (mail: Email, ...types: string[]): string[] =>
  mail.attachments
    .filter(({ mimeType }) => types.includes(mimeType))
    .map(({ content }) =>
      sanitiseText(typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('latin1')),
    )

/** Text before the quoted e-mail: the line with which mail programs introduce it ends the reply. */
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

/** Readable text of parsed HTML, without its block quotations. */
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
  // The received e-mail's own Message-ID is not one of ours; those of returned e-mails may be.
  const returned = attachedTextOf(mail, 'message/rfc822', 'text/rfc822-headers')
  const ids = [mail.inReplyTo, mail.references, ...returned].join(' ')
  const [, clientId, id, token] = /<letter\.(\d{1,9})\.(\d{1,15})\.([0-9a-f]{32})@/.exec(ids) ?? []
  return clientId && id && token ? { clientId: Number(clientId), id: Number(id), token } : undefined
}
