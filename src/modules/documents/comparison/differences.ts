import { diffWordsWithSpace } from 'diff'
import { type Field, labelOf } from '#kernel/fields.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { type RecordForm, recordValuesByForm } from '../forms/record-form.ts'
import { documentTypeWithForm } from '../forms/type-with-form.ts'
import type { ComparisonRules } from '../types/comparison-rules.ts'
import type { DocumentKind } from '../types/kind.ts'
import { formatDocumentValue, rowTitle } from '../types/value-text.ts'

/** A row in both revisions, or in only one of them. */
interface RowPair {
  readonly old?: Values
  readonly now?: Values
}

/** Minimum similarity at which two rows with different names are treated as one renamed row. */
const ALIKE = 0.6

/**
 * Matches rows: first those with equal names, in order. Each remaining row is matched with the most similar row whose
 * name shares a word, if their similarity exceeds `ALIKE`. Rows can be matched only by their visible content, because
 * each revision has its own copies. Returns pairs in the order of the new revision, with removed rows last.
 */
export function matchRows(
  before: readonly Values[],
  after: readonly Values[],
  nameOf: (row: Values) => string,
): RowPair[] {
  const left = new Set(before)
  const found = new Map<Values, Values>()
  const named = new Map<string, Values[]>()
  for (const old of before) named.set(nameOf(old), [...(named.get(nameOf(old)) ?? []), old])
  for (const now of after) {
    const old = named.get(nameOf(now))?.shift()
    if (old) take(old, now)
  }
  for (const now of after) {
    if (found.has(now)) continue
    const best = [...left].reduce<{ old?: Values; share: number }>(
      (b, old) => {
        const share = shareWord(nameOf(old), nameOf(now)) ? similarity(old, now) : 0
        return share > b.share ? { old, share } : b
      },
      { share: ALIKE },
    )
    if (best.old) take(best.old, now)
  }
  return [
    ...after.map((now): RowPair => ({ now, ...(found.has(now) ? { old: found.get(now) as Values } : {}) })),
    ...[...left].map((old): RowPair => ({ old })),
  ]

  function take(old: Values, now: Values) {
    left.delete(old)
    found.set(now, old)
  }
}

function shareWord(a: string, b: string): boolean {
  const words = new Set(wordsOf(a))
  return wordsOf(b).some((w) => words.has(w))
}

const wordsOf = (name: string) => name.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []

/**
 * Returns the similarity of two rows, from 0 to 1: the average similarity of their values. Ignores IDs and values that
 * are empty in both rows.
 */
function similarity(a: Values, b: Values): number {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (k) => !k.startsWith('@') && k !== 'id' && (some(a[k]) || some(b[k])),
  )
  return keys.length === 0 ? 1 : keys.reduce((sum, k) => sum + alike(a[k], b[k]), 0) / keys.length
}

/**
 * Returns the similarity of two values, from 0 to 1. For texts, this is twice the number of common words divided by the
 * sum of both texts' word counts, where each word is counted once per text. For other values, it is 1 if they are
 * equal, otherwise 0.
 */
function alike(a: unknown, b: unknown): number {
  if (JSON.stringify(a) === JSON.stringify(b)) return 1
  if (typeof a !== 'string' || typeof b !== 'string') return 0
  const [words, others] = [new Set(wordsOf(a)), new Set(wordsOf(b))]
  const both = [...words].filter((w) => others.has(w)).length
  return (2 * both) / Math.max(1, words.size + others.size)
}

const some = (v: unknown) => v !== null && v !== undefined && v !== ''

/** A piece of text that is in both revisions or in only one of them. */
export interface TextDiffPiece {
  readonly text: string
  readonly mark?: 'added' | 'removed'
}

export interface ValueDifference {
  readonly name: string
  readonly label: string
  readonly pieces: readonly TextDiffPiece[]
}

/** A row that was added, removed or changed. */
export interface RowDifference {
  readonly change: 'added' | 'removed' | 'changed'
  /** Readable title, such as the hazard or the contact. */
  readonly title: string
  readonly values: readonly ValueDifference[]
}

export type RevisionDifference =
  | ValueDifference
  | (Omit<ValueDifference, 'pieces'> & { readonly rows: readonly RowDifference[] })

type ComparedKind = Pick<DocumentKind, 'schema' | 'title' | 'fields'>

/** Compares two revisions field by field, in form order. Returns an empty list for equal revisions. */
export function compareRevisions(
  kind: ComparedKind,
  before: Values,
  after: Values,
  how: ComparisonRules = {},
): RevisionDifference[] {
  const omit = new Set([...(how.omit ?? []), how.summary])
  return namesOf(kind)
    .filter((name) => !omit.has(name))
    .flatMap((name) => fieldDifferences(kind, name, [before, after], how))
}

export const diffWords = (before: string, after: string): TextDiffPiece[] =>
  diffWordsWithSpace(before, after).map(({ value, added, removed }) => ({
    text: value,
    ...(added ? { mark: 'added' as const } : removed ? { mark: 'removed' as const } : {}),
  }))

const namesOf = (kind: ComparedKind) => [
  ...new Set([kind.title.field, ...formFieldsIn(kind.schema).map((f) => f.name), ...Object.keys(kind.fields ?? {})]),
]

type Sides = readonly [before: Values, after: Values]

function fieldDifferences(kind: ComparedKind, name: string, sides: Sides, how: ComparisonRules): RevisionDifference[] {
  const [before, after] = [sides[0][name], sides[1][name]]
  const form = formFieldsIn(kind.schema).find((f) => f.name === name)
  const declared: Field | undefined = kind.fields?.[name]
  const label = how.labels?.[name] ?? form?.label ?? (declared ? labelOf(name, declared) : name)
  if (isRows(before) || isRows(after)) {
    const labels = declared?.kind === 'rows' ? declared.target?.().fields : undefined
    return rowsDifference(name, label, [before, after], labels ?? {}, how, sides, declared?.by)
  }
  if (isGroup(before) || isGroup(after)) return groupDifferences(name, sides, how)
  return valueDifference(name, label, formatDocumentValue(form, before), formatDocumentValue(form, after))
}

/** Compares a nested value, such as a custom field, value by value. */
function groupDifferences(name: string, sides: Sides, how: ComparisonRules): RevisionDifference[] {
  const [old, now] = [sides[0][name] ?? {}, sides[1][name] ?? {}] as [Values, Values]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key): RevisionDifference[] => {
    const path = `${name}.${key}`
    const label = how.labels?.[path] ?? labelOf(key, { kind: 'text' })
    return isRows(old[key]) || isRows(now[key])
      ? rowsDifference(path, label, [old[key], now[key]], {}, how, sides)
      : valueDifference(path, label, formatDocumentValue(undefined, old[key]), formatDocumentValue(undefined, now[key]))
  })
}

function valueDifference(name: string, label: string, before: string, after: string): ValueDifference[] {
  return before === after ? [] : [{ name, label, pieces: diffWords(before, after) }]
}

const UNTOLD = new Set(['position', 'id', 'retired', 'client', 'document', 'documentNumber', 'author'])

function rowsDifference(
  name: string,
  label: string,
  [before, after]: readonly [unknown, unknown],
  fields: Readonly<Record<string, Field>>,
  how: ComparisonRules,
  sides: Sides,
  by?: string,
): RevisionDifference[] {
  const called = (row: Values) => how.rowName?.(name, row) ?? rowTitle(row)
  const values = (old: Values, now: Values) =>
    [...new Set([...Object.keys(old), ...Object.keys(now)])]
      .filter((key) => key !== by && !key.startsWith('@') && !UNTOLD.has(key) && !fields[key]?.readonly)
      .flatMap((key) => {
        const says = (row: Values) => formatDocumentValue(fields[key], row[key])
        const words = how.labels?.[`${name}.${key}`] ?? labelOf(key, fields[key] ?? { kind: 'text' })
        return valueDifference(key, words, says(old), says(now))
      })
  const told = (value: unknown, of: Values) => how.rows?.(name, liveRows(value), of) ?? liveRows(value)
  const [olds, news] = [told(before, sides[0]), told(after, sides[1])]
  const pairs = matchRows(olds, news, called)
  const moved = findMovedRows(pairs, olds)
  const rows = pairs.flatMap(({ old, now }): RowDifference[] => {
    if (!old) return [{ change: 'added', title: called(now as Values), values: values({}, now as Values) }]
    if (!now) return [{ change: 'removed', title: called(old), values: values(old, {}) }]
    const places = [olds.indexOf(old) + 1, news.indexOf(now) + 1].map(String) as [string, string]
    const changed = [...values(old, now), ...(moved.has(now) ? valueDifference('position', 'Position', ...places) : [])]
    return changed.length ? [{ change: 'changed', title: called(now), values: changed }] : []
  })
  return rows.length ? [{ name, label, rows }] : []
}

/**
 * Returns the rows that were moved among the rows that are in both revisions: those outside the longest run of rows that
 * kept their order.
 */
function findMovedRows(pairs: readonly RowPair[], olds: readonly Values[]): ReadonlySet<Values> {
  const kept = pairs.flatMap(({ old, now }) => (old && now ? [{ now, at: olds.indexOf(old) }] : []))
  const runs: (readonly { readonly now: Values; readonly at: number }[])[] = []
  for (const row of kept) {
    const before = runs.filter((run) => (run.at(-1)?.at ?? -1) < row.at)
    runs.push([...(before.toSorted((a, b) => b.length - a.length)[0] ?? []), row])
  }
  const longest = new Set(runs.toSorted((a, b) => b.length - a.length)[0]?.map(({ now }) => now))
  return new Set(kept.filter(({ now }) => !longest.has(now)).map(({ now }) => now))
}

const liveRows = (value: unknown): readonly Values[] =>
  Array.isArray(value) ? (value as Values[]).filter((row) => row.retired !== true) : []

const isRows = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((v) => v !== null && typeof v === 'object')

const isGroup = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !('@id' in value)

interface Written {
  readonly record: Values
  readonly form: RecordForm
}

/** Compares two revisions, using each revision's own form. */
export function compareRevisionsByForm(
  { kind, compare }: { readonly kind: DocumentKind; readonly compare?: ComparisonRules },
  before: Written,
  after: Written,
): RevisionDifference[] {
  const both = documentTypeWithForm(kind, joinForms(before.form.schema, after.form.schema))
  return compareRevisions(
    both,
    recordValuesByForm(before.form, before.record),
    recordValuesByForm(after.form, after.record),
    compare,
  )
}

/** Merges the fields of both forms: first those of the later form, then those that are only in the earlier form. */
function joinForms(before: FormSchema, after: FormSchema): FormSchema {
  const names = new Set(formFieldsIn(after).map((f) => f.name))
  const fields = formFieldsIn(before).filter((f) => !names.has(f.name))
  return { ...after, steps: [...after.steps, { name: 'former', title: '', groups: [{ fields }] }] }
}
