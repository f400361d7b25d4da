import { isRow } from '#kernel/forms/rows.ts'
import { textOf } from '#kernel/text.ts'
import { snapshotOf, type Used } from './substances-used.ts'

type Library = Readonly<Record<string, unknown>>

/** What an assessment keeps of a substance as the library has it: not the form and the ways into the body, which are those of the task. */
const WORDS = {
  name: 'name',
  supplier: 'supplier',
  hazardStatements: 'hazard statements',
  precautions: 'precautionary statements',
  unclassified: 'classification',
  pictograms: 'pictograms',
  signalWord: 'signal word',
  boilingPoint: 'boiling point',
  sheet: 'data sheet',
  sheetDate: 'date of the data sheet',
  limits: 'exposure limits',
} as const

type Kept = keyof typeof WORDS

/** Nothing said is nothing said, however it is kept. */
const plain = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(plain)
    : isRow(value)
      ? Object.fromEntries(
          Object.entries(value)
            .flatMap(([name, v]) => (isEmpty(v) ? [] : [[name, plain(v)]]))
            .toSorted(),
        )
      : isEmpty(value)
        ? ''
        : value
const isEmpty = (value: unknown) => value === null || value === undefined || value === '' || value === false

const differ = (name: Kept, one: unknown, other: unknown) =>
  name === 'sheetDate'
    ? textOf(one).slice(0, 10) !== textOf(other).slice(0, 10)
    : JSON.stringify(plain(one ?? (name === 'limits' ? [] : ''))) !==
      JSON.stringify(plain(other ?? (name === 'limits' ? [] : '')))

/** What the library says otherwise by now of a substance than the assessment that keeps it, in words. */
export function changedSince(used: Used, library: Library): string[] {
  const now = keptNow(library)
  return (Object.keys(WORDS) as Kept[]).flatMap((name) => (differ(name, used[name], now[name]) ? [WORDS[name]] : []))
}

/** Has the data sheet been replaced by one of a later date? */
export const hasNewerSheet = (used: Used, library: Library): boolean =>
  textOf(library.sheetDate).slice(0, 10) > textOf(used.sheetDate).slice(0, 10)

/** What an assessment takes of the library's: what holds of the use in this task stays. */
export function keptNow(library: Library): Partial<Used> {
  const now = snapshotOf(library)
  return Object.fromEntries((Object.keys(WORDS) as Kept[]).map((name) => [name, now[name]]))
}
