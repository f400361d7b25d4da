/**
 * A MIME entity: an e-mail or part of one. Header names are in lower case; if a header is repeated, only the first is
 * retained.
 */
export interface MimePart {
  readonly headers: ReadonlyMap<string, string>
  readonly type: string
  readonly body: string
  readonly parts: readonly MimePart[]
}

/** Nesting limit of MIME parts: real e-mails are never deeper. */
const DEEPEST = 8
const MAX_PARTS = 50

/** Parses an e-mail (RFC 5322, MIME) from its bytes as `latin1` text; malformed input is parsed as far as possible. */
export function parseMail(raw: string, depth = 0): MimePart {
  const [, head = '', rest = ''] = /^((?:.+\r?\n)*)(?:\r?\n)?([\s\S]*)$/.exec(raw.length > 0 ? raw : '\n') ?? []
  const headers = new Map<string, string>()
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    if (name && !headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value.trim())
  }
  const said = headers.get('content-type') ?? 'text/plain'
  const type = said.split(';')[0]?.trim().toLowerCase() ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/i.exec(said)?.[1]
  const parts =
    depth < DEEPEST && type.startsWith('multipart/') && boundary
      ? rest
          .split(`--${boundary}`)
          .slice(1, MAX_PARTS + 1)
          .filter((part) => !part.startsWith('--'))
          .map((part) => parseMail(part.replace(/^[ \t]*\r?\n/, ''), depth + 1))
      : depth < DEEPEST && type === 'message/rfc822'
        ? [parseMail(rest, depth + 1)]
        : []
  return { headers, type, body: decode(rest, headers.get('content-transfer-encoding'), charsetOf(said)), parts }
}

const charsetOf = (type: string): string => /charset="?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8'

function decode(body: string, encoding = '', charset: string): string {
  const bytes = /base64/i.test(encoding)
    ? Buffer.from(body, 'base64')
    : Buffer.from(
        /quoted-printable/i.test(encoding)
          ? body
              .replace(/=[ \t]*\r?\n/g, '')
              .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
          : body,
        'latin1',
      )
  return inCharset(bytes, charset)
}

function inCharset(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

/** Decodes the encoded words of a header value (RFC 2047). */
export const decodeHeader = (header = ''): string =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi, (_, charset: string, how: string, said: string) =>
      /b/i.test(how) ? decode(said, 'base64', charset) : decode(said.replaceAll('_', ' '), 'quoted-printable', charset),
    )

/** All parts, starting with the e-mail itself. */
const allParts = (letter: MimePart): MimePart[] => [letter, ...letter.parts.flatMap(allParts)]

/** The author's text as plain text, without quotations. */
export function replyTextOf(letter: MimePart): string {
  const plain = allParts(letter).find(({ type, parts }) => type === 'text/plain' && !parts.length)
  const html = allParts(letter).find(({ type }) => type === 'text/html')
  const words =
    plain?.body ??
    html?.body.replace(/<(?:style|script)[\s\S]*?<\/(?:style|script)>/gi, '').replace(/<[^>]*>/g, ' ') ??
    ''
  const [said = ''] = words.replace(/\r\n?/g, '\n').split(/\n(?:On .{5,200} wrote:|-{3,} ?Original Message|_{20,})/)
  return said
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n')
    .trim()
}

/** Address in a header such as `Ann Field <ann@acme.example>`. */
export const headerAddress = (header = ''): string => (/<([^<>]+)>/.exec(header)?.[1] ?? header).trim().toLowerCase()

/** Parses a delivery failure report (RFC 3464) into address and reason. */
export function parseBounce(
  letter: MimePart,
): { readonly address: string; readonly status: string; readonly why: string } | undefined {
  const report = allParts(letter).find(({ type }) => type === 'message/delivery-status')
  if (!report || !/^action:\s*failed/im.test(report.body)) return undefined
  const field = (name: string) =>
    new RegExp(`^${name}:\\s*(?:[\\w-]+;)?\\s*(.*)$`, 'im').exec(report.body)?.[1]?.trim() ?? ''
  return {
    address: headerAddress(field('Final-Recipient')),
    status: field('Status'),
    why: field('Diagnostic-Code') || field('Status'),
  }
}

/** Id of the original e-mail, found by the Message-IDs to which this one refers. */
export function findOwnMessageId(
  letter: MimePart,
): { readonly clientId: number; readonly id: number; readonly token: string } | undefined {
  const named = allParts(letter).flatMap(({ headers, body, type }) => [
    headers.get('in-reply-to') ?? '',
    headers.get('references') ?? '',
    // The received e-mail's own Message-ID is not one of ours; those of enclosed e-mails may be.
    letter.headers === headers ? '' : (headers.get('message-id') ?? ''),
    type === 'text/rfc822-headers' || type === 'message/rfc822' ? body : '',
  ])
  const [, clientId, id, token] = /<letter\.(\d{1,9})\.(\d{1,15})\.([0-9a-f]{32})@/.exec(named.join(' ')) ?? []
  return clientId && id && token ? { clientId: Number(clientId), id: Number(id), token } : undefined
}
