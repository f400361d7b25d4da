import { type RichTextRun, runsToHtml } from './runs.ts'

export type RichTextBlock =
  | { readonly kind: 'p'; readonly runs: readonly RichTextRun[] }
  | { readonly kind: 'hr' }
  | { readonly kind: 'blockquote'; readonly blocks: readonly RichTextBlock[] }
  | List
  | Painted

interface List {
  readonly kind: 'list'
  readonly ordered: boolean
  readonly items: readonly (readonly RichTextBlock[])[]
}

/** A paragraph that Word formats as a list item. `level` counts from 1. */
interface Painted {
  readonly kind: 'painted'
  readonly level: number
  readonly ordered: boolean
  readonly blocks: readonly RichTextBlock[]
}

export const blocksToHtml = (blocks: readonly RichTextBlock[]): string => joined(blocks).map(writtenBlock).join('')

function writtenBlock(block: RichTextBlock): string {
  switch (block.kind) {
    case 'hr':
      return '<hr>'
    case 'p':
      return `<p>${runsToHtml(block.runs)}</p>`
    case 'blockquote':
      return `<blockquote>${blocksToHtml(block.blocks)}</blockquote>`
    case 'painted':
      return blocksToHtml(block.blocks)
    case 'list': {
      const tag = block.ordered ? 'ol' : 'ul'
      return `<${tag}>${block.items.map((item) => `<li>${blocksToHtml(item)}</li>`).join('')}</${tag}>`
    }
  }
}

/**
 * Converts Word's list paragraphs to lists, and joins adjacent lists of the same kind, because Word on the web sends a
 * separate list for each item.
 */
function joined(blocks: readonly RichTextBlock[]): RichTextBlock[] {
  const out: RichTextBlock[] = []
  for (let i = 0; i < blocks.length; i++) {
    const painted: Painted[] = []
    for (let b = blocks[i]; b?.kind === 'painted'; b = blocks[++i]) painted.push(b)
    const block = blocks[i]
    for (const next of [...nested(painted), ...(block ? [block] : [])]) {
      const before = out.at(-1)
      if (next.kind === 'list' && before?.kind === 'list' && next.ordered === before.ordered)
        out[out.length - 1] = { ...before, items: [...before.items, ...next.items] }
      else if (next.kind !== 'list' || next.items.length > 0) out.push(next)
    }
  }
  return out
}

/** Converts consecutive list paragraphs to lists. A deeper paragraph becomes part of the item before it. */
function nested(painted: readonly Painted[]): List[] {
  const top = Math.min(...painted.map((p) => p.level))
  const lists: { ordered: boolean; items: { own: readonly RichTextBlock[]; deeper: Painted[] }[] }[] = []
  for (const p of painted) {
    const list = lists.at(-1)
    const item = list?.items.at(-1)
    if (item && p.level > top) item.deeper.push(p)
    else if (list && (list.ordered === p.ordered || p.level > top)) list.items.push({ own: p.blocks, deeper: [] })
    else lists.push({ ordered: p.ordered, items: [{ own: p.blocks, deeper: [] }] })
  }
  return lists.map(({ ordered, items }) => ({
    kind: 'list',
    ordered,
    items: items.map(({ own, deeper }) => [...own, ...nested(deeper)]),
  }))
}
