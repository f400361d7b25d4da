import { LIST_NAMES, type ListName, type SentLine } from './lines.ts'

export interface LineChange {
  readonly before: SentLine | undefined
  readonly after: SentLine | undefined
  readonly kind: 'added' | 'removed' | 'changed' | 'same'
}

type Lines = Readonly<Record<ListName, readonly SentLine[]>>

const iri = (v: unknown) => (typeof v === 'string' ? v : ((v as { '@id'?: string } | null)?.['@id'] ?? ''))
/** Lines of two revisions are the same when they are for the same thing. */
const thing = (l: SentLine) => iri(l.plan) || iri(l.sku) || l.description.trim().toLowerCase()
const SHOWN = [
  'description',
  'quantity',
  'unitAmount',
  'taxPercent',
  'interval',
  'intervalCount',
  'discountable',
] as const

const alike = (a: SentLine, b: SentLine) => SHOWN.every((k) => (a[k] ?? null) === (b[k] ?? null))

/** What became of each line from one revision to the next: those of the newer one in their order, then what is gone. */
export function lineChanges(before: Lines, after: Lines): LineChange[] {
  return LIST_NAMES.flatMap((list) => {
    const left = [...before[list]]
    const kept = after[list].map((line): LineChange => {
      const at = left.findIndex((l) => thing(l) === thing(line))
      const former = at < 0 ? undefined : left.splice(at, 1)[0]
      return { before: former, after: line, kind: !former ? 'added' : alike(former, line) ? 'same' : 'changed' }
    })
    return [...kept, ...left.map((line): LineChange => ({ before: line, after: undefined, kind: 'removed' }))]
  })
}
