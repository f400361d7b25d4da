import { decode } from './html.ts'

/**
 * Allowed tags of formatted text, without attributes, with their kind: a block, an item of a list, a mark on words, or
 * a line break. Screens, PDFs and comparisons show what input cleaning lets through.
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

export type RichTag = keyof typeof TAGS
/** Marks in the output; `b` and `i` are converted to `strong` and `em`. */
export type TextMark = Exclude<{ [T in RichTag]: (typeof TAGS)[T] extends 'mark' ? T : never }[RichTag], 'b' | 'i'>

export const isRichTag = (tag: string): tag is RichTag => Object.hasOwn(TAGS, tag)

/** Returns one name for tags with the same meaning. */
export const canonicalTag = (tag: RichTag): Exclude<RichTag, 'b' | 'i'> =>
  tag === 'b' ? 'strong' : tag === 'i' ? 'em' : tag

/** The words of stored rich text: each block on a line of its own, items with a bullet. */
export const htmlToText = (html: string): string =>
  decode(html.replaceAll('\n', ' ').replace(/<(\/?)([a-z][a-z0-9]*)\b[^<>]*>/gi, lineBreakOf))
    .replaceAll('\u00a0', ' ')
    .replace(/\n{2,}/g, '\n')
    .trim()

function lineBreakOf(_: string, slash: string, name: string): string {
  const tag = name.toLowerCase()
  if (tag === 'li' && !slash) return '• '
  const ends = isRichTag(tag) ? TAGS[tag] !== 'mark' : tag === 'div'
  return ends && (slash || tag === 'br' || tag === 'hr') ? '\n' : ''
}
