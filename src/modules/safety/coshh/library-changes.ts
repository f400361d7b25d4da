import { isPlainObject } from '#kernel/forms/rows.ts'
import { toText } from '#kernel/text.ts'
import { SUPPLIER_ADVICE, SUPPLIER_ADVICE_NAMES, type SupplierAdviceName } from '../substances/substance.ts'
import { type SubstanceUse, substanceSnapshot } from './substances-used.ts'

type Library = Readonly<Record<string, unknown>>

const adviceLabels = () =>
  Object.fromEntries(
    SUPPLIER_ADVICE_NAMES.map((name) => [name, SUPPLIER_ADVICE[name].replace('First', 'first')]),
  ) as Record<SupplierAdviceName, string>

/**
 * Labels of the library fields that are saved in an assessment. The physical form and the routes of exposure are
 * omitted because they depend on the task.
 */
const WORDS = {
  name: 'name',
  supplier: 'supplier',
  casNumbers: 'CAS numbers',
  ...adviceLabels(),
  hazardStatements: 'hazard statements',
  precautions: 'precautionary statements',
  unclassified: 'classification',
  pictograms: 'pictograms',
  signalWord: 'signal word',
  boilingPoint: 'boiling point',
  sheet: 'data sheet',
  sheetDate: 'data sheet date',
  limits: 'exposure limits',
} as const

type Kept = keyof typeof WORDS

/** Normalises a value for comparison. All empty values become equal. */
const plain = (value: unknown): unknown =>
  Array.isArray(value) && value.length
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

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

const differ = (name: Kept, one: unknown, other: unknown) =>
  name === 'sheetDate'
    ? toText(one).slice(0, 10) !== toText(other).slice(0, 10)
    : JSON.stringify(plain(one)) !== JSON.stringify(plain(other))

/** Returns the labels of the fields whose library value now differs from the value in the assessment. */
export function changedLibraryFields(used: SubstanceUse, library: Library): string[] {
  const now = currentLibraryFields(library)
  return (Object.keys(WORDS) as Kept[]).flatMap((name) => (differ(name, used[name], now[name]) ? [WORDS[name]] : []))
}

/** Returns true if the library's data sheet has a later date than the assessment's data sheet. */
export const hasNewerDataSheet = (used: SubstanceUse, library: Library): boolean =>
  toText(library.sheetDate).slice(0, 10) > toText(used.sheetDate).slice(0, 10)

/** Returns the library fields to copy into an assessment, without the fields that describe the use in this task. */
export function currentLibraryFields(library: Library): Partial<SubstanceUse> {
  const now = substanceSnapshot(library)
  return Object.fromEntries((Object.keys(WORDS) as Kept[]).map((name) => [name, now[name]]))
}
