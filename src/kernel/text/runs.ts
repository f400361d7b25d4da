import { decodeHtmlEntities, escapeHtmlAndSpaces } from './html.ts'

/**
 * Allowed tags in formatted text, without attributes, by kind: a block, a list item, a mark or a line break. Screens,
 * PDFs and comparisons support exactly these tags.
 */
const TAGS = {
  p: 'block',
  ul: 'block',
  ol: 'block',
  blockquote: 'block',
  hr: 'block',
  li: 'item',
  br: 'break',
  strong: 'mark',
  b: 'mark',
  em: 'mark',
  i: 'mark',
  u: 'mark',
  s: 'mark',
} as const

export type RichTextTag = keyof typeof TAGS
/** Marks in the output. `b` and `i` are converted to `strong` and `em`. */
export type RichTextMark = Exclude<
  { [T in RichTextTag]: (typeof TAGS)[T] extends 'mark' ? T : never }[RichTextTag],
  'b' | 'i'
>

export const isRichTextTag = (tag: string): tag is RichTextTag => Object.hasOwn(TAGS, tag)

/** Returns the canonical tag for a tag: `strong` for `b`, `em` for `i`. */
export const canonicalTag = (tag: RichTextTag): Exclude<RichTextTag, 'b' | 'i'> =>
  tag === 'b' ? 'strong' : tag === 'i' ? 'em' : tag

const BULLET = /^<li\b/i
const LINE_ENDS = Object.entries(TAGS).flatMap(([tag, kind]) => (kind === 'mark' ? [] : tag))
const LINE_END = new RegExp(String.raw`^<(?:/(?:${LINE_ENDS.join('|')}|div)|[bh]r)\b`, 'i')

/** Converts stored rich text to plain text. Each block is on its own line, and each list item has a bullet. */
export const htmlToText = (html: string): string =>
  decodeHtmlEntities(
    // A pattern without groups is twice as fast, and a text may have tens of thousands of tags.
    html
      .replaceAll('\n', ' ')
      .replace(/<\/?[a-z][a-z0-9]*\b[^<>]*>/gi, (tag) => (BULLET.test(tag) ? '• ' : LINE_END.test(tag) ? '\n' : '')),
  )
    .replaceAll('\u00a0', ' ')
    .replace(/\n{2,}/g, '\n')
    .trim()

/** A run of text with its marks, or a line break. */
export type RichTextRun = { readonly text: string; readonly marks: readonly RichTextMark[] } | 'br'

const MARK_ORDER: readonly RichTextMark[] = ['strong', 'em', 'u', 's']

/**
 * Normalises the runs in a paragraph: single spaces, and none at the start or end of a line. Returns an empty list if
 * there are no words.
 */
export function normaliseRuns(runs: readonly RichTextRun[]): RichTextRun[] {
  const lines: Exclude<RichTextRun, 'br'>[][] = [[]]
  for (const run of runs) {
    if (run === 'br') lines.push([])
    else lines.at(-1)!.push({ ...run, text: run.text.replace(/[ \t\r\n\f]+/g, ' ') })
  }
  const tidy = lines.map(trimRuns)
  while (tidy.at(-1)?.every(isBlank)) tidy.pop()
  while (tidy[0]?.every(isBlank)) tidy.shift()
  return tidy.flatMap((line, i) => (i === 0 ? line : (['br', ...line] as RichTextRun[])))
}

const isBlank = (run: Exclude<RichTextRun, 'br'>) => run.text.trim() === ''

/** Normalises one line: no double, leading or trailing spaces. */
function trimRuns(line: readonly Exclude<RichTextRun, 'br'>[]) {
  const out: { text: string; marks: readonly RichTextMark[] }[] = []
  for (const { text, marks } of line) {
    const before = out.at(-1)
    const kept =
      before === undefined ? text.replace(/^[ \u00a0]+/, '') : before.text.endsWith(' ') ? text.replace(/^ /, '') : text
    if (kept) out.push({ text: kept, marks })
  }
  for (let last = out.at(-1); last; last = out.at(-1)) {
    last.text = trimEnd(last.text)
    if (last.text) break
    out.pop()
  }
  return out
}

/** Removes trailing spaces. A regular expression would take quadratic time for many spaces. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\u00a0')) end--
  return text.slice(0, end)
}

/** Converts runs to HTML. Adjacent runs with the same marks are joined, and marks always nest in the same order. */
export function runsToHtml(runs: readonly RichTextRun[]): string {
  let html = ''
  let text = ''
  let around = ''
  const end = () => {
    const tags = around ? around.split(' ') : []
    html += `${tags.map((t) => `<${t}>`).join('')}${escapeHtmlAndSpaces(text)}${tags
      .map((t) => `</${t}>`)
      .reverse()
      .join('')}`
    text = ''
  }
  for (const run of runs) {
    const marks = run === 'br' ? '' : MARK_ORDER.filter((m) => run.marks.includes(m)).join(' ')
    if (run === 'br' || marks !== around) end()
    if (run === 'br') html += '<br>'
    else text += run.text
    around = marks
  }
  end()
  return html.replace(/(<(strong|em|u|s)>)+(<\/(strong|em|u|s)>)+/g, '')
}
