import { MAX_CHOICES_PER_ANSWER } from './clean.ts'
import type { ValueLookup } from './conditions.ts'
import { formFieldsIn } from './fields-in.ts'
import { toRowObjects } from './rows.ts'
import type { FormField, FormFieldOption, FormSchema } from './schema.ts'
import { type Values, visibleFieldsInRow, visibleForm } from './visible.ts'

export interface FormScore {
  readonly points: number
  readonly outOf: number
  /** Percentage as an integer, rounded down; null if no question is scored. */
  readonly percent: number | null
  /** True if the pass mark is reached; null if the form has none or no question is scored. */
  readonly passed: boolean | null
}

export const isScoredForm = (schema: FormSchema): boolean =>
  formFieldsIn(schema).some((f) =>
    [f, ...(f.fields ?? [])].some((own) => own.options?.some((o) => o.points !== undefined)),
  )

/**
 * Calculates the score for the visible questions. The maximum for a question is its best option or, if several options
 * can be chosen, the sum of its best options. The maximum also counts while the question is unanswered, so that leaving
 * it out gains nothing. Choosing an option without points ("Not applicable") excludes its question.
 */
export function calculateScore(schema: FormSchema, values: Values): FormScore {
  const seen = visibleForm(schema, values)
  const counted = formFieldsIn(seen).flatMap((f) => countsOf(f, values[f.name], seen.value))
  const points = sum(counted.map(([own]) => own))
  const outOf = sum(counted.map(([, most]) => most))
  const counts = outOf > 0
  return {
    points,
    outOf,
    percent: counts ? Math.floor((100 * points) / outOf) : null,
    passed: counts && schema.pass !== undefined ? 100 * points >= schema.pass * outOf : null,
  }
}

type Counted = readonly [points: number, outOf: number]

function countsOf(field: FormField, value: unknown, around: ValueLookup): readonly Counted[] {
  if (field.kind === 'rows')
    return toRowObjects(value).flatMap((row) => {
      const seen = visibleFieldsInRow(field.fields ?? [], row, around)
      return seen.fields.flatMap((f) => countsOf(f, row[f.name], seen.value))
    })
  const counted = calculateAnswerPoints(field, value)
  return counted ? [counted] : []
}

const pointsIn = (options: readonly FormFieldOption[]) =>
  options.flatMap((o) => (o.points === undefined ? [] : [o.points])).toSorted((a, b) => b - a)

/**
 * Returns the points for an answer and the maximum for its question. If several options are chosen, their points are
 * added. `undefined` if the question has no points, or if only options without points are chosen.
 */
export function calculateAnswerPoints({ kind, options = [] }: FormField, value: unknown): Counted | undefined {
  const all = pointsIn(options)
  if (!all.length) return undefined
  const several = kind === 'combobox'
  const said = new Set<unknown>(several && Array.isArray(value) ? value : [value])
  const chosen = options.filter((o) => said.has(o.value))
  const points = pointsIn(chosen)
  if (chosen.length && !points.length) return undefined
  const most = several ? MAX_CHOICES_PER_ANSWER : 1
  return [sum(points.slice(0, most)), sum(all.slice(0, most))]
}

const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0)
