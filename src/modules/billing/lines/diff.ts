import { plan, sku } from '../catalogue/plan.ts'
import { iriOfRelation, type LineRelation } from './line.ts'
import { LINE_LIST_NAMES, type QuoteLineLists } from './lines.ts'
import type { QuoteTotalLine } from './sum.ts'

interface ComparedLine extends QuoteTotalLine {
  readonly description: string
  readonly sku?: LineRelation
}

export interface LineChange<L> {
  readonly before: L | undefined
  readonly after: L | undefined
  readonly kind: 'added' | 'removed' | 'changed' | 'same'
}

/** Lines of two revisions match if they are for the same plan, SKU or description. */
const thingOf = (l: ComparedLine) =>
  iriOfRelation(plan, l.plan) ?? iriOfRelation(sku, l.sku) ?? l.description.trim().toLowerCase()
const COMPARED = [
  'description',
  'quantity',
  'unitAmount',
  'taxPercent',
  'interval',
  'intervalCount',
  'discountable',
] as const

const areAlike = (a: ComparedLine, b: ComparedLine) => COMPARED.every((k) => (a[k] ?? null) === (b[k] ?? null))

/** Changes from one revision to the next: the lines of the newer one in order, then the removed ones. */
export function compareLines<L extends ComparedLine>(
  before: QuoteLineLists<L>,
  after: QuoteLineLists<L>,
): LineChange<L>[] {
  return LINE_LIST_NAMES.flatMap((list) => {
    const left = [...before[list]]
    const kept = after[list].map((line): LineChange<L> => {
      const at = left.findIndex((l) => thingOf(l) === thingOf(line))
      const former = at < 0 ? undefined : left.splice(at, 1)[0]
      return { before: former, after: line, kind: !former ? 'added' : areAlike(former, line) ? 'same' : 'changed' }
    })
    return [...kept, ...left.map((line): LineChange<L> => ({ before: line, after: undefined, kind: 'removed' }))]
  })
}
