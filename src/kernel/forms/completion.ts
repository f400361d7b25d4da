import type { Lookup } from './conditions.ts'
import { filled } from './filled.ts'
import { rowsOf } from './rows.ts'
import type { FormField, FormSchema } from './schema.ts'
import { type Values, visible, visibleInRow } from './visible.ts'

export interface StepCompletion {
  readonly filled: number
  readonly required: number
  readonly complete: boolean
}

export interface Completion {
  /** 0 to 1: of the visible required fields, those that are filled; 1 when nothing is required. */
  readonly share: number
  /** Whole percent; 100 only when everything is there. */
  readonly percent: number
  /** By the step's name; steps that are not shown are absent. */
  readonly steps: Readonly<Record<string, StepCompletion>>
}

/** How complete a form is (safety specification, section 5). */
export function completion(schema: FormSchema, values: Values): Completion {
  const seen = visible(schema, values)
  const steps = seen.steps.map(({ step, groups }) => {
    const count = sum(groups.flatMap((g) => g.fields.map((f) => countField(f, values[f.name], seen.value))))
    return [step.name, { ...count, complete: count.filled === count.required }] as const
  })
  const all = sum(steps.map(([, s]) => s))
  const share = all.required === 0 ? 1 : all.filled / all.required
  return {
    share,
    percent: all.required === 0 ? 100 : Math.floor((100 * all.filled) / all.required),
    steps: Object.fromEntries(steps),
  }
}

interface Count {
  readonly filled: number
  readonly required: number
}

/** A field counts once; the fields of each row count on top. */
function countField(field: FormField, value: unknown, around: Lookup): Count {
  const own = { filled: field.required && filled(field, value) ? 1 : 0, required: field.required ? 1 : 0 }
  if (field.kind !== 'rows') return own
  const inside = rowsOf(value).flatMap((row) => {
    const seen = visibleInRow(field.fields ?? [], row, around)
    return seen.fields.map((f) => countField(f, row[f.name], seen.value))
  })
  return sum([own, ...inside])
}

const sum = (counts: readonly Count[]): Count =>
  counts.reduce((a, b) => ({ filled: a.filled + b.filled, required: a.required + b.required }), {
    filled: 0,
    required: 0,
  })
