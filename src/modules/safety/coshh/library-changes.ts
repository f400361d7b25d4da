import { isPlainObject } from '#kernel/forms/rows.ts'
import { toText } from '#kernel/text.ts'
import { type SubstanceUse, substanceSnapshot } from './substances-used.ts'

type Library = Readonly<Record<string, unknown>>

/**
 * Labels of the library fields saved in an assessment, without the form and routes of exposure, which depend on the
 * task.
 */
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

/** Normalises a value for comparison, so that all forms of an empty value are equal. */
const plain = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(plain)
    : isPlainObject(value)
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
    ? toText(one).slice(0, 10) !== toText(other).slice(0, 10)
    : JSON.stringify(plain(one ?? (name === 'limits' ? [] : ''))) !==
      JSON.stringify(plain(other ?? (name === 'limits' ? [] : '')))

/** Labels of the fields whose library value now differs from the assessment. */
export function changedLibraryFields(used: SubstanceUse, library: Library): string[] {
  const now = currentLibraryFields(library)
  return (Object.keys(WORDS) as Kept[]).flatMap((name) => (differ(name, used[name], now[name]) ? [WORDS[name]] : []))
}

/** True if the library has a data sheet with a later date. */
export const hasNewerDataSheet = (used: SubstanceUse, library: Library): boolean =>
  toText(library.sheetDate).slice(0, 10) > toText(used.sheetDate).slice(0, 10)

/** Library fields to copy into an assessment, without fields about the use in this task. */
export function currentLibraryFields(library: Library): Partial<SubstanceUse> {
  const now = substanceSnapshot(library)
  return Object.fromEntries((Object.keys(WORDS) as Kept[]).map((name) => [name, now[name]]))
}
