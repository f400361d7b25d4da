import type { HtmlElement, HtmlNode } from '#kernel/text/html.ts'

/** A line of an e-mail. */
export interface MailLine {
  readonly text: string
  /** Level of quotation; 0 for the sender's own text. */
  readonly level: number
  /** True within a part that the mail program marks as a signature. */
  readonly isSignature: boolean
}

/** An e-mail's text in two parts, which together contain the whole text. */
export interface SplitText {
  /** The sender's own text, and the quoted lines that the sender answers one by one. */
  readonly text: string
  /** The rest: quoted e-mails and the signature. Quoted lines begin with ">". */
  readonly quoted: string
}

/** Splits plain text into lines and determines their level of quotation by their ">" marks. */
export const linesOfText = (text: string): MailLine[] =>
  text.split('\n').map((line) => {
    const marks = line.startsWith('>') ? (/^(?:> ?)+/.exec(line)?.[0] ?? '') : ''
    return { text: line.slice(marks.length), level: marks.replaceAll(' ', '').length, isSignature: false }
  })

/**
 * Words of the line with which mail programs introduce a quotation: "On … wrote:", "Am … schrieb …:", "Le … a écrit :",
 * "Ar … ysgrifennodd …:", and those of further languages.
 */
const ATTRIBUTION_BEGINNING =
  /^(?:On|Am|Le|Ar|El|Il|Op|Den|Em|Dnia|W dniu|Dne|Pe|(?:Man|Tir|Ons|Tor|Fre|Lør|Søn)\.?) ?\S/u
const ATTRIBUTION_VERB =
  /(?:^|[\s\u00a0>,])(?:wrote|schrieb|a\s[ée]crit|(?:yr\s)?ysgrifennodd|escribi[óo]|ha\sscritto|schreef|skrev|escreveu|napisał(?:\(a\))?|napsala?|a\sscris)(?=[\s\u00a0:,]|$)/u
/** "2026-11-20 10:00 GMT Portal Sales <sales@portal.example>:" */
const DATED_ATTRIBUTION = /^\d{4}-\d\d-\d\d[^<>]{1,150}<[^<>\s]{3,100}>\s?:$/
const MAX_ATTRIBUTION_LENGTH = 300
const MAX_ATTRIBUTION_LINES = 4

/** Lines after which everything up to the end is a quoted or forwarded e-mail. */
const SEPARATOR =
  /^(?:_{20,}|-{2,}\s?(?:Original Message|Original Appointment|Forwarded message|Urspr(?:ü|ue)ngliche Nachricht|Weitergeleitete Nachricht|Message d['’]origine|Message transféré|Neges wreiddiol|Neges a anfonwyd ymlaen|Mensaje original|Messaggio originale|Oorspronkelijk bericht)\s?-*|Begin forwarded message:|Anfang der weitergeleiteten Nachricht:|Début du message (?:réexpédié|transféré) :)$/iu

/** Names of the header lines with which Outlook introduces a quoted e-mail: English, German, French, Welsh and others. */
const FROM_LINE = /^\*?(?:From|Von|De|Oddi wrth|Oddi|Gan|Da|Van|Från|Fra|Od)\s?:\*?\s/u
const HEADER_LINE =
  /^\*?(?:Sent|Date|To|Cc|Bcc|Subject|Reply-To|Importance|Gesendet|Datum|An|Betreff|Kopie|Envoyé|À|A|Objet|Anfonwyd|Dyddiad|At|I|Pwnc|Testun|Copi|Enviado(?: el)?|Fecha|Para|Asunto|Inviato|Data|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne)\s?:\*?(?:\s|$)/u

const PGP_BEGINNING = /^-----BEGIN PGP SIGNED MESSAGE-----$/
const PGP_SIGNATURE = /^-----BEGIN PGP SIGNATURE-----$/
/** Maximum number of lines after "--", without its space, that are treated as a signature. */
const MAX_UNMARKED_SIGNATURE = 12
/** Number of quoted lines that remain visible above an answer to them. */
const SHOWN_QUOTED_LINES = 5

type Role = 'own' | 'quoted' | 'signature'

/**
 * Separates the sender's own text from quoted e-mails and the signature. Answers below quoted lines remain visible,
 * with the last lines that they answer. Each line is in exactly one of the two parts.
 */
export function splitReply(lines: readonly MailLine[]): SplitText {
  const roles = rolesOf(lines)
  const shown = showAnsweredLines(lines, roles)
  const write = (wanted: boolean) => {
    const parts = lines.flatMap(({ text, level }, n) =>
      shown[n] === wanted ? [level ? `${'>'.repeat(Math.min(level, 9))} ${text}`.trimEnd() : text.trimEnd()] : [],
    )
    return parts
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }
  return { text: write(true), quoted: write(false) }
}

const isBlank = (line: MailLine | undefined): boolean => !line?.text.trim()

/** Determines the role of each line. */
function rolesOf(lines: readonly MailLine[]): Role[] {
  const roles: Role[] = []
  const beforeEnd = lines.findLastIndex((line) => !isBlank(line))
  for (let n = 0; n < lines.length; ) {
    const line = lines[n] as MailLine
    if (!line.text && !line.level && !line.isSignature) {
      roles[n++] = 'own'
      continue
    }
    const introduced = line.level ? 0 : attributionLines(lines, n)
    if (line.level) roles[n++] = 'quoted'
    else if (introduced) {
      // Without marks, the quotation extends to the end. With marks, the text after it is the sender's own.
      const next = lines.slice(n + introduced, n + introduced + 3).find((one) => !isBlank(one))
      const end = next?.level ? n + introduced : lines.length
      while (n < end) roles[n++] = 'quoted'
    } else if (SEPARATOR.test(line.text.trim()) || isHeaderBlock(lines, n)) {
      while (n < lines.length) roles[n++] = 'quoted'
    } else if (line.isSignature || beginsSignature(lines, n, beforeEnd)) {
      const isMarked = line.isSignature
      do roles[n++] = 'signature'
      while (n < lines.length && (isMarked ? lines[n]?.isSignature : !endsSignature(lines, n)))
    } else {
      roles[n] = isPgpFrame(lines, n) ? 'signature' : 'own'
      n++
    }
  }
  return roles
}

/** Returns the number of lines, from this one on, that introduce a quotation; 0 if none do. */
function attributionLines(lines: readonly MailLine[], at: number): number {
  const first = lines[at]?.text.trim() ?? ''
  if (first.length > MAX_ATTRIBUTION_LENGTH) return 0
  if (DATED_ATTRIBUTION.test(first)) return 1
  if (!ATTRIBUTION_BEGINNING.test(first)) return 0
  let all = ''
  for (let count = 1; count <= MAX_ATTRIBUTION_LINES; count++) {
    const line = lines[at + count - 1]
    if (!line || line.level || isBlank(line)) return 0
    all += ` ${line.text.trim()}`
    if (all.length > MAX_ATTRIBUTION_LENGTH) return 0
    if (all.endsWith(':') && ATTRIBUTION_VERB.test(all)) return count
  }
  return 0
}

/** True if the header lines of a quoted e-mail begin here: its sender, followed by at least two others. */
function isHeaderBlock(lines: readonly MailLine[], at: number): boolean {
  if (!FROM_LINE.test(lines[at]?.text.trimStart() ?? '')) return false
  const next = lines.slice(at + 1, at + 9).filter((line) => !isBlank(line))
  return next.slice(0, 4).filter(({ text }) => HEADER_LINE.test(text.trimStart())).length >= 2
}

function beginsSignature(lines: readonly MailLine[], at: number, last: number): boolean {
  const text = lines[at]?.text ?? ''
  if (PGP_SIGNATURE.test(text.trim())) return true
  return text === '-- ' || (/^--\s*$/.test(text) && last - at <= MAX_UNMARKED_SIGNATURE)
}

const endsSignature = (lines: readonly MailLine[], at: number): boolean => {
  const line = lines[at] as MailLine
  return (
    line.level > 0 || attributionLines(lines, at) > 0 || SEPARATOR.test(line.text.trim()) || isHeaderBlock(lines, at)
  )
}

/** True for the lines with which a PGP signature begins: the marker and, after it, the name of the hash. */
const isPgpFrame = (lines: readonly MailLine[], at: number): boolean =>
  PGP_BEGINNING.test(lines[at]?.text.trim() ?? '') ||
  ((lines[at]?.text ?? '').startsWith('Hash: ') && PGP_BEGINNING.test(lines[at - 1]?.text.trim() ?? ''))

/** Returns which lines are visible: the sender's own, and the last quoted lines above each answer to them. */
function showAnsweredLines(lines: readonly MailLine[], roles: readonly Role[]): boolean[] {
  const shown = roles.map((role) => role === 'own')
  const isText = (n: number) => roles[n] === 'own' && !isBlank(lines[n])
  /** Ends of the quoted blocks that are followed by the sender's own text. */
  const answered: number[] = []
  let lastQuoted = -1
  let wroteBefore = false
  for (const n of lines.keys()) {
    if (roles[n] === 'quoted' && !isBlank(lines[n])) lastQuoted = n
    else if (isText(n)) {
      if (lastQuoted >= 0) answered.push(lastQuoted)
      else if (!answered.length) wroteBefore = true
      lastQuoted = -1
    }
  }
  // A single answer below the whole quotation needs no visible quoted lines.
  if (answered.length < 2 && !(answered.length && wroteBefore)) return shown
  for (const end of answered)
    for (let n = end; n > end - SHOWN_QUOTED_LINES && roles[n] === 'quoted' && lines[n]?.level; n--) shown[n] = true
  return shown
}

/** Elements that begin and end a line. */
const LINE_ELEMENTS = new Set(
  'address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)
/** Elements that mail programs show with an empty line before and after them. */
const SPACED_ELEMENTS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'dl', 'blockquote', 'pre', 'hr'])
/** Marks of the containers in which mail programs put a quoted e-mail that has no `blockquote`. */
const QUOTE_CONTAINER = /\b(yahoo_quoted|gmail_quote_container|protonmail_quote|zmail_extra|WordSection1_quote)\b/
const SIGNATURE_CONTAINER = /\b(gmail_signature|moz-signature|protonmail_signature_block)\b/
const NO_MARGIN = /margin(?:-top|-bottom)?\s*:\s*0/
const MAX_STYLE_LENGTH = 20_000
const MAX_LINK_LENGTH = 1000

/** True if the page's style sheet gives paragraphs no margin, as Outlook does; paragraphs are then single lines. */
export function hasTightParagraphs(html: string): boolean {
  const start = html.search(/<style/i)
  const end = start < 0 ? -1 : html.indexOf('</', start)
  if (end < 0) return false
  const css = html.slice(start, Math.min(end, start + MAX_STYLE_LENGTH))
  return css
    .split('}')
    .some((rule) => /(^|[\s,>])p(\.[\w-]+)?\s*(,|\{|$)/i.test(rule.split('{')[0] ?? '') && NO_MARGIN.test(rule))
}

/** State of the elements that surround the text. */
interface Surroundings {
  readonly level: number
  readonly isSignature: boolean
  readonly isPreformatted: boolean
  readonly tightParagraphs: boolean
}

/** Writes the readable text of parsed HTML as lines, with their level of quotation. */
class LineWriter {
  readonly lines: MailLine[] = []
  private words: string[] = []
  private endsInSpace = true
  private isBlankDue = false

  write(text: string, to: Surroundings): void {
    if (to.isPreformatted) {
      for (const [n, line] of text.split('\n').entries()) {
        if (n) this.newLine(to)
        this.add(line)
      }
      return
    }
    let plain = text.replace(/\s+/g, ' ')
    if (this.endsInSpace && plain.startsWith(' ')) plain = plain.slice(1)
    this.add(plain)
  }

  private add(text: string): void {
    if (!text) return
    this.words.push(text)
    this.endsInSpace = text.endsWith(' ')
  }

  get isAtStart(): boolean {
    return this.words.length === 0
  }

  /** Ends the line, even an empty one. */
  newLine({ level, isSignature }: Surroundings): void {
    const text = this.words.join('').trimEnd()
    const last = this.lines.at(-1)
    if (this.isBlankDue && last) this.lines.push({ text: '', level: Math.min(level, last.level), isSignature })
    this.isBlankDue = false
    this.lines.push({ text, level, isSignature })
    this.words = []
    this.endsInSpace = true
  }

  /** Ends the line if it has text. `spaced` leaves an empty line before the next text. */
  block(at: Surroundings, spaced: boolean): void {
    if (!this.isAtStart) this.newLine(at)
    if (spaced) this.isBlankDue = true
  }
}

/** Converts parsed HTML to lines of text: paragraphs, list items, rows of tables, and links with their addresses. */
export function linesOfHtml(nodes: readonly HtmlNode[], tightParagraphs: boolean): MailLine[] {
  const writer = new LineWriter()
  const page = { level: 0, isSignature: false, isPreformatted: false, tightParagraphs }
  writeNodes(writer, nodes, page)
  writer.block(page, false)
  return writer.lines
}

function writeNodes(writer: LineWriter, nodes: readonly HtmlNode[], at: Surroundings): void {
  for (const node of nodes)
    if (typeof node !== 'string') writeElement(writer, node, at)
    else if (at.isPreformatted || node.trim() || !writer.isAtStart) writer.write(node, at)
}

function writeElement(writer: LineWriter, element: HtmlElement, at: Surroundings): void {
  const { tag, children } = element
  if (tag === 'br') writer.newLine(at)
  else if (tag === 'a') writeLink(writer, element, at)
  else if (tag === 'td' || tag === 'th') {
    if (!writer.isAtStart) writer.write(' | ', { ...at, isPreformatted: false })
    writeNodes(writer, children, at)
  } else writeOther(writer, element, at)
}

/** Writes an element that may begin a line, a quotation or a signature. */
function writeOther(
  writer: LineWriter,
  { tag, style, children, attributes = {} }: HtmlElement,
  at: Surroundings,
): void {
  const marks = `${attributes.class ?? ''} ${attributes.id ?? ''}`
  const inside = {
    ...at,
    level: at.level + (tag === 'blockquote' || QUOTE_CONTAINER.test(marks) ? 1 : 0),
    isSignature: at.isSignature || SIGNATURE_CONTAINER.test(marks),
    isPreformatted: at.isPreformatted || tag === 'pre' || /white-space:\s*pre/.test(style),
  }
  const isLine = LINE_ELEMENTS.has(tag) || inside.level !== at.level || inside.isSignature !== at.isSignature
  const isTight = NO_MARGIN.test(style) || (tag === 'p' && at.tightParagraphs)
  const spaced = SPACED_ELEMENTS.has(tag) && !isTight
  if (isLine) writer.block(at, spaced)
  if (tag === 'li') writer.write('- ', { ...at, isPreformatted: true })
  if (tag === 'ol') writeNumbered(writer, children, inside)
  else writeNodes(writer, children, inside)
  if (tag === 'p' && writer.isAtStart && isEmptyParagraph(children)) writer.newLine(inside)
  if (isLine) writer.block(inside, spaced)
}

/** True for a paragraph that holds only a no-break space, which Outlook uses as an empty line. */
const isEmptyParagraph = (children: readonly HtmlNode[]): boolean =>
  children.length > 0 && children.every((node) => typeof node === 'string' || isEmptyParagraph(node.children))

function writeNumbered(writer: LineWriter, children: readonly HtmlNode[], at: Surroundings): void {
  let number = 0
  for (const node of children) {
    if (typeof node === 'string' || node.tag !== 'li') {
      writeNodes(writer, [node], at)
      continue
    }
    writer.block(at, false)
    writer.write(`${++number}. `, { ...at, isPreformatted: true })
    writeNodes(writer, node.children, at)
    writer.block(at, false)
  }
}

const wordsOf = (nodes: readonly HtmlNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : wordsOf(node.children))).join('')

/** Writes a link's text, followed by its address if the text does not contain it. */
function writeLink(writer: LineWriter, { children, attributes = {} }: HtmlElement, at: Surroundings): void {
  writeNodes(writer, children, at)
  const address = (attributes.href ?? '').slice(0, MAX_LINK_LENGTH).trim()
  const [, bare = ''] = /^(?:https?:\/\/|mailto:|tel:)(.+?)\/?$/is.exec(address) ?? []
  const words = wordsOf(children)
  if (bare && words.trim() && !words.includes(bare)) writer.write(` (${address})`, at)
}
