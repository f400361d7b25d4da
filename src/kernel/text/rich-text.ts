import { decode } from './html.ts'

/**
 * Everything that formatted text is made of, without attributes, and what each is: a block on lines of its own, an item of a
 * list, a mark on words, or a break of a line. What is cleaned on the way in is what screens, PDFs and comparisons show.
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
/** The marks that are written here; `b` and `i` are read as `strong` and `em`. */
export type Mark = Exclude<{ [T in RichTag]: (typeof TAGS)[T] extends 'mark' ? T : never }[RichTag], 'b' | 'i'>

export const isRichTag = (tag: string): tag is RichTag => Object.hasOwn(TAGS, tag)

/** One name for tags that mean the same. */
export const plainTag = (tag: RichTag): Exclude<RichTag, 'b' | 'i'> =>
  tag === 'b' ? 'strong' : tag === 'i' ? 'em' : tag

/** The words of stored rich text: each block on a line of its own, items with a bullet. */
export const wordsOfHtml = (html: string): string =>
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
