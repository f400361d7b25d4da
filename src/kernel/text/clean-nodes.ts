import { blocksToHtml, type RichTextBlock } from './blocks.ts'
import type { HtmlElement, HtmlNode } from './html.ts'
import type { RichTextMark } from './runs.ts'
import { normaliseRuns, type RichTextRun } from './runs.ts'

export type HtmlSanitiser = (html: string) => string

/**
 * Converts parsed HTML to rich text: paragraphs, lists, quotations, rules and four marks, without attributes. Styles,
 * classes, headings, links and Word's own tags are removed. A row of a table becomes a paragraph. Paragraphs that Word
 * formats as list items become lists. Word processors use empty paragraphs for spacing; these are retained only with
 * `keepEmpty`.
 */
export const sanitiseNodes = (nodes: readonly HtmlNode[], { keepEmpty }: { readonly keepEmpty: boolean }): string =>
  blocksToHtml(blocksOf(nodes, [], keepEmpty))

const MARKS: Readonly<Record<string, RichTextMark>> = {
  strong: 'strong',
  b: 'strong',
  em: 'em',
  i: 'em',
  u: 'u',
  ins: 'u',
  s: 's',
  strike: 's',
  del: 's',
}
const PARAGRAPH = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'div',
  'pre',
  'td',
  'th',
  'tr',
  'table',
  'li',
  'dt',
  'dd',
])
const BLOCKS = new Set([
  ...PARAGRAPH,
  'ul',
  'ol',
  'blockquote',
  'hr',
  'tbody',
  'thead',
  'section',
  'article',
  'body',
  'html',
])
/** Matches styles for hidden text and for the bullets that Word inserts. */
const UNSEEN = /(?:^|;)\s*(?:display\s*:\s*none|mso-hide\s*:\s*all|mso-list\s*:\s*ignore)/

function blocksOf(nodes: readonly HtmlNode[], marks: readonly RichTextMark[], keepEmpty: boolean): RichTextBlock[] {
  const blocks: RichTextBlock[] = []
  let line: RichTextRun[] = []
  const end = () => {
    const runs = normaliseRuns(line)
    if (runs.length > 0) blocks.push({ kind: 'p', runs })
    line = []
  }
  for (const node of nodes) {
    if (typeof node === 'string' || !hasBlock(node)) line.push(...runsOf(node, marks))
    else {
      end()
      blocks.push(...blockOf(node, marksOf(node, marks), keepEmpty))
    }
  }
  end()
  return blocks
}

function blockOf(e: HtmlElement, marks: readonly RichTextMark[], keepEmpty: boolean): RichTextBlock[] {
  if (UNSEEN.test(e.style)) return []
  if (e.tag === 'hr') return [{ kind: 'hr' }]
  if (e.tag === 'ul' || e.tag === 'ol') return listOf(e, marks, keepEmpty)
  const row = e.tag === 'tr' ? rowOf(e, marks) : undefined
  if (row) return row
  const inside = blocksOf(e.children, marks, keepEmpty)
  if (e.tag === 'blockquote') return inside.length > 0 ? [{ kind: 'blockquote', blocks: inside }] : []
  const level = /(?:^|;)\s*mso-list\s*:[^;]*\blevel(\d)/.exec(e.style)?.[1]
  if (level && inside.length > 0)
    return [{ kind: 'painted', level: Number(level), ordered: isNumbered(e), blocks: inside }]
  return inside.length === 0 && keepEmpty && e.tag === 'p' ? [{ kind: 'p', runs: [] }] : inside
}

const CELL_BOUNDARY: RichTextRun = { text: ' | ', marks: [] }
const EMPTY_CELL: RichTextRun = { text: '–', marks: [] }

/**
 * Converts a row of a table to one paragraph: “Flat | Name | 12”. Returns `undefined` for a row with a single cell or
 * with lists; its contents become separate blocks.
 */
function rowOf(row: HtmlElement, marks: readonly RichTextMark[]): RichTextBlock[] | undefined {
  const cells = row.children.filter((n) => typeof n !== 'string' && (n.tag === 'td' || n.tag === 'th')) as HtmlElement[]
  if (cells.length < 2) return undefined
  const contents = cells.map((cell) => blocksOf(cell.children, marksOf(cell, marks), false))
  if (contents.flat().length === 0) return []
  const runs: RichTextRun[] = []
  for (const [i, blocks] of contents.entries()) {
    if (i > 0) runs.push(CELL_BOUNDARY)
    if (blocks.length === 0) runs.push(EMPTY_CELL)
    for (const [n, block] of blocks.entries()) {
      if (block.kind !== 'p') return undefined
      if (n > 0) runs.push({ text: ' ', marks: [] })
      runs.push(...block.runs)
    }
  }
  return [{ kind: 'p', runs: normaliseRuns(runs) }]
}

/**
 * Converts a list element. Google Docs puts a nested list after its parent item instead of inside it; here, the nested
 * list becomes part of that item.
 */
function listOf(list: HtmlElement, marks: readonly RichTextMark[], keepEmpty: boolean): RichTextBlock[] {
  const items: RichTextBlock[][] = []
  for (const node of list.children) {
    const nested = typeof node !== 'string' && (node.tag === 'ul' || node.tag === 'ol')
    const blocks = blocksOf(typeof node !== 'string' && node.tag === 'li' ? node.children : [node], marks, keepEmpty)
    const last = items.at(-1)
    if (nested && last) last.push(...blocks)
    else if (blocks.length > 0) items.push(blocks)
  }
  return items.length > 0 ? [{ kind: 'list', ordered: list.tag === 'ol', items }] : []
}

/** True if the marker that Word inserted before an item is a number or a letter. */
function isNumbered(paragraph: HtmlElement): boolean {
  const painted = find(paragraph, (e) => /mso-list\s*:\s*ignore/.test(e.style))
  return painted !== undefined && /^[\s\u00a0]*\(?(?:\d+|[a-z]{1,5})(?:\.\d+)*[.)]/i.test(textOf(painted))
}

const find = (e: HtmlElement, is: (e: HtmlElement) => boolean): HtmlElement | undefined =>
  is(e)
    ? e
    : e.children.reduce<HtmlElement | undefined>(
        (found, n) => found ?? (typeof n === 'string' ? found : find(n, is)),
        undefined,
      )

const textOf = (n: HtmlNode): string => (typeof n === 'string' ? n : n.children.map(textOf).join(''))

const hasBlock = (e: HtmlElement): boolean =>
  BLOCKS.has(e.tag) || e.children.some((n) => typeof n !== 'string' && hasBlock(n))

function runsOf(node: HtmlNode, marks: readonly RichTextMark[]): RichTextRun[] {
  if (typeof node === 'string') return [{ text: node, marks }]
  if (UNSEEN.test(node.style)) return []
  if (node.tag === 'br') return ['br']
  const own = marksOf(node, marks)
  return node.children.flatMap((n) => runsOf(n, own))
}

/**
 * Returns the marks that apply inside an element. Google Docs wraps everything in a `b` element with normal weight,
 * which is not treated as bold.
 */
function marksOf({ tag, style }: HtmlElement, marks: readonly RichTextMark[]): readonly RichTextMark[] {
  const own = MARKS[tag]
  const weight = /(?:^|;)\s*font-weight\s*:\s*(\w+)/.exec(style)?.[1]
  const light = weight === 'normal' || weight === '400'
  const heavy = weight === 'bold' || Number(weight) >= 600
  const heading = /^h\d$/.test(tag)
  const decoration = /(?:^|;)\s*text-decoration(?:-line)?\s*:([^;]*)/.exec(style)?.[1] ?? ''
  const found: (RichTextMark | false | undefined)[] = [
    !(own === 'strong' && light) && own,
    heavy && !heading && 'strong',
    /(?:^|;)\s*font-style\s*:\s*italic/.test(style) && 'em',
    tag !== 'a' && decoration.includes('underline') && 'u',
    decoration.includes('line-through') && 's',
  ]
  const added = found.filter((m): m is RichTextMark => !!m && !marks.includes(m))
  return added.length > 0 ? [...new Set([...marks, ...added])] : marks
}
