import { addressParser } from 'postal-mime'
import { sanitiseText } from '#server/http/clean.ts'

/** A part of an e-mail (RFC 2045). A part of type `multipart/…` has children, any other a body. */
export interface MimePart {
  /** Content type in lower case, without parameters. */
  readonly type: string
  readonly params: Readonly<Record<string, string>>
  readonly disposition: string
  /** File name from either header; empty if there is none. */
  readonly name: string
  readonly contentId: string
  readonly headers: MailHeaders
  readonly children: readonly MimePart[]
  /** Body as transferred, still encoded. */
  readonly body: Buffer
}

/** Text of a part. `guessed` contains the declared character set if it does not fit the bytes. */
export interface DecodedText {
  readonly text: string
  readonly guessed?: string
}

/**
 * Error for an e-mail with too many parts or nesting levels, or too long a boundary. No mail program writes such
 * e-mails.
 */
export class MimeLimitError extends Error {}

const MAX_NESTING = 20
const MAX_PARTS = 1000
/** Maximum length of a boundary (RFC 2046, section 5.1.1). Searching for a longer one could take very long. */
const MAX_BOUNDARY_LENGTH = 70
/** Maximum length of a header's value that is read. The value is cut, not refused. */
const MAX_HEADER_LENGTH = 20_000
/**
 * Like `MAX_HEADER_LENGTH`, but for addresses, because their parser takes quadratic time. Only the first address is
 * read.
 */
const MAX_ADDRESS_LENGTH = 2000

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
const WINDOWS_1252 = new TextDecoder('windows-1252')

/**
 * Header fields of an e-mail or part (RFC 5322), in lower case. If a field occurs more than once, the first one
 * applies.
 */
export class MailHeaders {
  private readonly fields = new Map<string, string>()

  constructor(block: string) {
    let name = ''
    let lines: string[] = []
    const add = () => {
      if (name && !this.fields.has(name)) this.fields.set(name, lines.join(' ').slice(0, MAX_HEADER_LENGTH))
    }
    for (const line of block.split(/\r?\n|\r/)) {
      const colon = line.indexOf(':')
      if (line.startsWith(' ') || line.startsWith('\t')) lines.push(line.trim())
      else if (colon > 0) {
        add()
        name = line.slice(0, colon).trim().toLowerCase()
        lines = [line.slice(colon + 1).trim()]
      }
    }
    add()
  }

  has(name: string): boolean {
    return this.fields.has(name)
  }

  /** Returns the value as written, with raw UTF-8 decoded; empty if there is no such field. */
  get(name: string): string {
    return decodeRawBytes(this.fields.get(name) ?? '')
  }

  /** Returns the value with encoded words decoded (RFC 2047). */
  words(name: string): string {
    return toOneLine(decodeEncodedWords(this.get(name)))
  }

  /** Returns the first address and its name. Both are empty if there is none. */
  mailbox(name: string): { readonly name: string; readonly address: string } {
    const value = this.get(name).slice(0, MAX_ADDRESS_LENGTH)
    const [first] = addressParser(value, { flatten: true })
    // The address parser decodes each encoded word separately.
    const words = /^\s*((?:=\?[^?\s]+\?[QB]\?[^?]*\?=\s*)+)</i.exec(value)?.[1]
    return {
      name: toOneLine(words ? decodeEncodedWords(words) : (first?.name ?? '')),
      address: toOneLine(first?.address ?? ''),
    }
  }
}

/** Replaces line breaks and other control characters, which encoded words may contain. */
const toOneLine = (value: string): string =>
  sanitiseText(value)
    .replace(/[\p{Control}\u2028\u2029]+/gu, ' ')
    .trim()

/** Decodes header bytes, given as Latin-1: as UTF-8 (RFC 6532) or, if they are not valid UTF-8, as Windows-1252. */
function decodeRawBytes(latin1: string): string {
  return /[\x80-\xff]/.test(latin1) ? decodeBytes(Buffer.from(latin1, 'latin1'), 'utf-8').text : latin1
}

const ENCODED_WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([QB])\?([^?]*)\?=/gi

/**
 * Decodes encoded words (RFC 2047). Adjacent words are joined before they are decoded, because some programs split a
 * character between two of them.
 */
function decodeEncodedWords(value: string): string {
  const decoded: string[] = []
  let open: { charset: string; bytes: Buffer[] } | undefined
  let end = 0
  const close = () => {
    if (open) decoded.push(decodeBytes(Buffer.concat(open.bytes), open.charset).text)
    open = undefined
  }
  for (const { index, 0: whole, 1: charset = '', 2: encoding = '', 3: text = '' } of value.matchAll(ENCODED_WORD)) {
    const between = value.slice(end, index)
    if (!open || between.trim()) {
      close()
      decoded.push(between)
    } else if (open.charset !== charset.toLowerCase()) close()
    open ??= { charset: charset.toLowerCase(), bytes: [] }
    const bytes = Buffer.from(text, 'latin1')
    open.bytes.push(/b/i.test(encoding) ? decodeBase64(bytes) : unescapeBytes(text.replaceAll('_', ' '), '='))
    end = index + whole.length
  }
  close()
  return decoded.join('') + value.slice(end)
}

/** Replaces escaped bytes such as `=C3` or `%C3`. */
const unescapeBytes = (text: string, sign: '=' | '%'): Buffer =>
  Buffer.from(
    text.replace(sign === '=' ? /=([\da-f]{2})/gi : /%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  )

/** Parses an e-mail. Throws `MimeLimitError`. */
export function parseMime(raw: Buffer): MimePart {
  const count = { parts: 0 }
  return parsePart(raw, 0, count)
}

function parsePart(raw: Buffer, depth: number, count: { parts: number }, defaultType = 'text/plain'): MimePart {
  if (depth > MAX_NESTING || ++count.parts > MAX_PARTS) throw new MimeLimitError()
  const { head, body } = splitHead(raw)
  const headers = new MailHeaders(head)
  const content = parseStructuredHeader(headers.get('content-type'))
  const disposition = parseStructuredHeader(headers.get('content-disposition'))
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(content.value) ? content.value : defaultType
  const sections = type.startsWith('multipart/') ? splitMultipart(body, content.params.boundary ?? '') : undefined
  const inner = type === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
  return {
    // A multipart without its boundary is read as text, so that nothing is lost.
    type: type.startsWith('multipart/') && !sections ? 'text/plain' : type,
    params: content.params,
    disposition: disposition.value,
    name: sanitiseText(decodeEncodedWords(disposition.params.filename || content.params.name || '')),
    contentId: headers.get('content-id').replace(/^<|>$/g, ''),
    headers,
    children: sections?.map((section) => parsePart(section, depth + 1, count, inner)) ?? [],
    body: sections ? Buffer.alloc(0) : body,
  }
}

/** Splits an e-mail or part at its first empty line. */
function splitHead(raw: Buffer): { head: string; body: Buffer } {
  for (let start = 0; start < raw.length; ) {
    const end = raw.indexOf(10, start)
    const isEmpty = end === start || (end === start + 1 && raw[start] === 13)
    if (end < 0) break
    if (isEmpty) return { head: raw.toString('latin1', 0, start), body: raw.subarray(end + 1) }
    start = end + 1
  }
  return { head: raw.toString('latin1'), body: Buffer.alloc(0) }
}

/** Splits a multipart body at its boundary lines; `undefined` if there are none. A missing last boundary is accepted. */
function splitMultipart(body: Buffer, boundary: string): Buffer[] | undefined {
  if (!boundary) return undefined
  if (boundary.length > MAX_BOUNDARY_LENGTH) throw new MimeLimitError()
  const mark = Buffer.from(`\n--${boundary}`)
  /** Finds the next line at `from` or later that begins like a boundary line. */
  const findMark = (from: number) => {
    if (from === 0 && body.subarray(0, mark.length - 1).equals(mark.subarray(1))) return 0
    const lineBreak = body.indexOf(mark, Math.max(from - 1, 0))
    return lineBreak < 0 ? -1 : lineBreak + 1
  }
  const parts: Buffer[] = []
  let start = -1
  for (let at = findMark(0); at >= 0; ) {
    const line = readBoundaryLine(body, at + mark.length - 1)
    if (line) {
      if (start >= 0) parts.push(body.subarray(start, Math.max(start, withoutLineBreak(body, at))))
      if (parts.length > MAX_PARTS) throw new MimeLimitError()
      start = line.isLast ? -1 : line.end
      if (line.isLast) return parts
    }
    at = findMark(line?.end ?? at + 1)
  }
  if (start >= 0) parts.push(body.subarray(start))
  return parts.length ? parts : undefined
}

const withoutLineBreak = (body: Buffer, at: number): number =>
  body[at - 1] !== 10 ? at : body[at - 2] === 13 ? at - 2 : at - 1

/** Reads the rest of a boundary line. Returns `undefined` if other text follows the boundary. */
function readBoundaryLine(body: Buffer, afterMark: number): { end: number; isLast: boolean } | undefined {
  let end = afterMark
  const isLast = body[end] === 45 && body[end + 1] === 45
  if (isLast) end += 2
  while (body[end] === 32 || body[end] === 9 || body[end] === 13) end++
  if (end < body.length && body[end] !== 10) return undefined
  return { end: Math.min(end + 1, body.length), isLast }
}

interface StructuredHeader {
  readonly value: string
  readonly params: Readonly<Record<string, string>>
}

const PARAMETER = /\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"?|[^;]*)/y

/** Parses a header with parameters, such as `text/plain; charset=utf-8`, including continued ones (RFC 2231). */
function parseStructuredHeader(header: string): StructuredHeader {
  const value = /^[^;\s(]*/.exec(header)?.[0].toLowerCase() ?? ''
  const params: Record<string, string> = Object.create(null)
  const continued = new Map<string, { at: number; encoded: boolean; text: string }[]>()
  for (let at = header.indexOf(';'); at >= 0; at = header.indexOf(';', at)) {
    PARAMETER.lastIndex = ++at
    const [whole, key = '', given = ''] = PARAMETER.exec(header) ?? []
    if (whole === undefined) continue
    at += whole.length
    const text = given.startsWith('"') ? given.slice(1).replace(/"$/, '').replace(/\\(.)/g, '$1') : given.trim()
    const [, name = '', order, star] = /^([^*]+)(?:\*(\d{1,3}))?(\*)?$/.exec(key.toLowerCase()) ?? []
    if (order === undefined && !star) params[name] ??= text
    else {
      const sections = continued.get(name) ?? []
      sections.push({ at: Number(order ?? 0), encoded: star !== undefined, text })
      continued.set(name, sections)
    }
  }
  for (const [name, sections] of continued) params[name] = joinContinued(sections.toSorted((a, b) => a.at - b.at))
  return { value, params }
}

/** Joins the sections of a parameter. The first one names the character set: `utf-8'en'%C3%A9`. */
function joinContinued(sections: readonly { readonly encoded: boolean; readonly text: string }[]): string {
  const charset = sections[0]?.encoded ? (/^([^']*)'[^']*'/.exec(sections[0].text)?.[1] ?? '') : ''
  const bytes = sections.map(({ encoded, text }, n) => {
    const rest = n === 0 && encoded ? text.replace(/^[^']*'[^']*'/, '') : text
    return encoded ? unescapeBytes(rest, '%') : Buffer.from(rest)
  })
  return decodeBytes(Buffer.concat(bytes), charset || 'utf-8').text
}

/** Decodes a part's body according to its Content-Transfer-Encoding. An unknown encoding is treated as unencoded. */
export function decodeBody({ headers, body }: MimePart): Buffer {
  const encoding = /[\w-]+/.exec(headers.get('content-transfer-encoding').toLowerCase())?.[0]
  if (encoding === 'base64') return decodeBase64(body)
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(body) : body
}

/** Decodes Base64 with or without line breaks, even if each line is padded. */
function decodeBase64(body: Buffer): Buffer {
  const text = body.toString('latin1')
  const padding = text.indexOf('=')
  if (padding < 0 || !/[^=\s]/.test(text.slice(padding))) return Buffer.from(text, 'base64')
  return decodePaddedBase64(body)
}

/** Value of each byte as a Base64 digit, in either alphabet; undefined for other bytes, which are ignored. */
const BASE64_VALUES = new Map(
  Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', (digit, value) => [
    digit.charCodeAt(0),
    value,
  ]),
)
BASE64_VALUES.set(45, 62).set(95, 63)

/** Decodes Base64 in which padding may follow any unit, in linear time and without a buffer for each unit. */
function decodePaddedBase64(body: Buffer): Buffer {
  const decoded = Buffer.alloc(Math.ceil((body.length * 3) / 4))
  let length = 0
  let held = 0
  let bits = 0
  for (const byte of body) {
    const value = BASE64_VALUES.get(byte)
    if (byte === 61) bits = 0
    if (value === undefined) continue
    held = ((held << 6) | value) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    decoded[length++] = (held >> bits) & 0xff
  }
  return decoded.subarray(0, length)
}

const decodeQuotedPrintable = (body: Buffer): Buffer =>
  unescapeBytes(body.toString('latin1').replace(/=[ \t]*\r?\n/g, ''), '=')

/** Decodes a text part. */
export function decodeText(part: MimePart): DecodedText {
  const bytes = decodeBody(part)
  const inPage =
    part.type === 'text/html' ? /charset=["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 2048))?.[1] : undefined
  const { text, guessed } = decodeBytes(bytes, part.params.charset || inPage || '')
  const flowed = /^flowed$/i.test(part.params.format ?? '')
  const clean = sanitiseText(text).replace(/\r\n?/g, '\n')
  return {
    text: flowed ? unfoldFlowedText(clean, /^yes$/i.test(part.params.delsp ?? '')) : clean,
    ...(guessed === undefined ? {} : { guessed }),
  }
}

const UTF8_OR_BYTE =
  /((?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf4][\x80-\xbf]{3})+)|[\x80-\xff]+/g

/** Decodes bytes that are partly UTF-8, treating all others as Windows-1252. No byte is lost. */
const decodeMixedBytes = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(UTF8_OR_BYTE, (run, isUtf8: string | undefined) =>
      isUtf8 ? Buffer.from(run, 'latin1').toString('utf8') : WINDOWS_1252.decode(Buffer.from(run, 'latin1')),
    )

/** Labels of the Western character set, which some programs also use for other text. */
const WESTERN = /^(|(us-)?ascii|ansi_x3.*|iso-?8859-?1|latin-?1|windows-1252|cp-?1252)$/

/**
 * Decodes bytes in a declared character set; '' if none is declared. If the bytes don't fit, they are read as UTF-8 or
 * Windows-1252, and `guessed` contains the declared character set.
 */
function decodeBytes(bytes: Buffer, charset: string): DecodedText {
  const declared = charset.trim().toLowerCase()
  const utf8 = decodeOrUndefined(UTF8, bytes)
  if (utf8 !== undefined && (WESTERN.test(declared) || /^utf-?8$/.test(declared))) {
    const isPlain = /^(|utf-?8|(us-)?ascii)$/.test(declared) || utf8.length === bytes.length
    return { text: utf8, ...(isPlain ? {} : { guessed: declared }) }
  }
  if (WESTERN.test(declared)) return { text: WINDOWS_1252.decode(bytes) }
  if (/^utf-?8$/.test(declared)) return { text: decodeMixedBytes(bytes), guessed: declared }
  const decoder = createDecoder(declared)
  if (!decoder) return { text: utf8 ?? decodeMixedBytes(bytes), guessed: declared }
  const text = decoder.decode(bytes)
  if (!text.includes('\ufffd')) return { text }
  return { text: utf8 ?? text, guessed: declared }
}

/** Returns a decoder; `undefined` for an unknown label. Also tries the label without `x-` or `cs`, and `cp` as `windows-`. */
function createDecoder(label: string): TextDecoder | undefined {
  for (const name of [label, label.replace(/^(x-|cs)/, ''), label.replace(/^cp-?(\d+)$/, 'windows-$1')])
    try {
      return new TextDecoder(name)
    } catch {
      // The runtime does not know this label. Tries the next spelling.
    }
  return undefined
}

function decodeOrUndefined(decoder: TextDecoder, bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Joins the lines of paragraphs in `format=flowed` text (RFC 3676), by level of quotation. */
function unfoldFlowedText(text: string, deleteSpace: boolean): string {
  const lines: string[] = []
  let open: { level: number; parts: string[] } | undefined
  const close = () => {
    if (open) lines.push(`${'>'.repeat(open.level)}${open.level ? ' ' : ''}${open.parts.join('')}`)
    open = undefined
  }
  for (const line of text.split('\n')) {
    const level = /^>*/.exec(line)?.[0].length ?? 0
    const content = line.slice(level).replace(/^ /, '')
    const isSignature = content === '-- '
    if (open && (open.level !== level || isSignature)) close()
    open ??= { level, parts: [] }
    const isSoft = content.endsWith(' ') && !isSignature
    open.parts.push(isSoft && deleteSpace ? content.slice(0, -1) : content)
    if (!isSoft) close()
  }
  close()
  return lines.join('\n')
}
