import { MAX_CHOICES } from './clean.ts'
import type { Lookup } from './conditions.ts'
import { fieldsIn } from './fields-in.ts'
import { rowsOf } from './rows.ts'
import type { Choice, FormField, FormSchema } from './schema.ts'
import { type Values, visible, visibleInRow } from './visible.ts'

/** What the answers of a form come to. */
export interface Score {
  readonly points: number
  readonly outOf: number
  /** Whole percent, rounded down; nothing where nothing counts. */
  readonly percent: number | null
  /** Nothing where the form has no pass mark, or nothing counts. */
  readonly passed: boolean | null
}

/** Do any choices of the form count? */
export const hasPoints = (schema: FormSchema): boolean =>
  fieldsIn(schema).some((f) => [f, ...(f.fields ?? [])].some((own) => own.options?.some((o) => o.points !== undefined)))

/**
 * The points of what is shown. A question counts as many as its best choice, or its best choices where several can be chosen, also while nobody has answered it: leaving one out makes
 * nothing better. A choice without points ("Not applicable") takes its question out.
 */
export function scoreOf(schema: FormSchema, values: Values): Score {
  const seen = visible(schema, values)
  const counted = fieldsIn(seen).flatMap((f) => countsOf(f, values[f.name], seen.value))
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

function countsOf(field: FormField, value: unknown, around: Lookup): readonly Counted[] {
  if (field.kind === 'rows')
    return rowsOf(value).flatMap((row) => {
      const seen = visibleInRow(field.fields ?? [], row, around)
      return seen.fields.flatMap((f) => countsOf(f, row[f.name], seen.value))
    })
  const counted = pointsOf(field, value)
  return counted ? [counted] : []
}

const pointsIn = (options: readonly Choice[]) =>
  options.flatMap((o) => (o.points === undefined ? [] : [o.points])).toSorted((a, b) => b - a)

/**
 * What a question counts, and of how much: its choice, or all of several that are chosen, of the best that can be chosen. Nothing where it
 * has no points, and where nothing but choices without any are chosen.
 */
export function pointsOf({ kind, options = [] }: FormField, value: unknown): Counted | undefined {
  const all = pointsIn(options)
  if (!all.length) return undefined
  const several = kind === 'combobox'
  const said = new Set<unknown>(several && Array.isArray(value) ? value : [value])
  const chosen = options.filter((o) => said.has(o.value))
  const points = pointsIn(chosen)
  if (chosen.length && !points.length) return undefined
  const most = several ? MAX_CHOICES : 1
  return [sum(points.slice(0, most)), sum(all.slice(0, most))]
}

const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0)
