import type { HtmlElement, HtmlNode } from '#kernel/text/html.ts'
import type { MailLine } from './reply-text.ts'

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

/** True if the page's style sheet sets paragraphs without a margin, as Outlook does: they are then single lines. */
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

  say(text: string, to: Surroundings): void {
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

  /** Ends the line, also an empty one. */
  newLine({ level, isSignature }: Surroundings): void {
    const text = this.words.join('').trimEnd()
    const last = this.lines.at(-1)
    if (this.isBlankDue && last) this.lines.push({ text: '', level: Math.min(level, last.level), isSignature })
    this.isBlankDue = false
    this.lines.push({ text, level, isSignature })
    this.words = []
    this.endsInSpace = true
  }

  /** Ends a line that has text. `spaced` leaves an empty line before the next text. */
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
    else if (at.isPreformatted || node.trim() || !writer.isAtStart) writer.say(node, at)
}

function writeElement(writer: LineWriter, element: HtmlElement, at: Surroundings): void {
  const { tag, children } = element
  if (tag === 'br') writer.newLine(at)
  else if (tag === 'a') writeLink(writer, element, at)
  else if (tag === 'td' || tag === 'th') {
    if (!writer.isAtStart) writer.say(' | ', { ...at, isPreformatted: false })
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
  if (tag === 'li') writer.say('- ', { ...at, isPreformatted: true })
  if (tag === 'ol') writeNumbered(writer, children, inside)
  else writeNodes(writer, children, inside)
  if (tag === 'p' && writer.isAtStart && isEmptyParagraph(children)) writer.newLine(inside)
  if (isLine) writer.block(inside, spaced)
}

/** True for a paragraph that holds only a no-break space, with which Outlook makes empty lines. */
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
    writer.say(`${++number}. `, { ...at, isPreformatted: true })
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
  const said = wordsOf(children)
  if (bare && said.trim() && !said.includes(bare)) writer.say(` (${address})`, at)
}
