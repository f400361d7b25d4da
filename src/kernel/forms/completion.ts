import type { Violation } from '../errors.ts'
import type { ValueLookup } from './conditions.ts'
import { formFieldsIn } from './fields-in.ts'
import { formCompletionProblems } from './problems.ts'
import { toRowObjects } from './rows.ts'
import type { FormField, FormSchema } from './schema.ts'
import { type Values, visibleFieldsInRow, visibleForm } from './visible.ts'

export interface StepCompletion {
  readonly filled: number
  readonly required: number
  readonly complete: boolean
}

export interface FormCompletion {
  /** Fraction of visible required questions that are answered, from 0 to 1. Exactly 1 only if there is no problem. */
  readonly share: number
  /** Percentage as an integer; 100 only if the form is complete. */
  readonly percent: number
  /** Completion of each step, by step name. Hidden steps are omitted. */
  readonly steps: Readonly<Record<string, StepCompletion>>
}

/** Checks on a record in addition to those of its form. */
export interface RecordCompletionChecks {
  /** All problems that prevent completion; by default, those that the form reports. */
  readonly problems?: readonly Violation[]
  /** Number of questions in the input for a `custom` field, by path: `controls` or `controls[3]`. */
  readonly asked?: Readonly<Record<string, number>>
}

/**
 * Calculates how complete a form is (safety specification, section 5). Only required questions count, and a question
 * with a problem is treated as open. An optional answer with a problem is counted as a question until it is corrected.
 */
export function calculateFormCompletion(
  schema: FormSchema,
  values: Values,
  { problems = formCompletionProblems(schema, values), asked = {} }: RecordCompletionChecks = {},
): FormCompletion {
  const seen = visibleForm(schema, values)
  const steps = seen.steps.map(({ step, groups }) => {
    const count = sum(
      groups.flatMap((g) =>
        g.fields.map((f) =>
          f.kind === 'custom'
            ? countAsked(f, problemsIn(problems, f.name), placesIn(asked, f.name))
            : countField(f, values[f.name], f.name, seen.value, problemsIn(problems, f.name)),
        ),
      ),
    )
    return [step.name, { ...count, complete: count.filled === count.required }] as const
  })
  const names = new Set(formFieldsIn(seen).map((f) => f.name))
  const elsewhere = problems.filter((v) => !names.has(rootOf(v.propertyPath))).length
  const all = sum([...steps.map(([, s]) => s), { filled: 0, required: elsewhere }])
  return {
    share: all.required === 0 ? 1 : all.filled / all.required,
    percent: all.required === 0 ? 100 : Math.floor((100 * all.filled) / all.required),
    steps: Object.fromEntries(steps),
  }
}

interface Count {
  readonly filled: number
  readonly required: number
}

const rootOf = (path: string): string => path.split(/[.[]/)[0] ?? ''

/** True if the path `at` equals `place` or is below it. */
const isWithin = (at: string, place: string) =>
  at === place || (at.startsWith(place) && (at[place.length] === '.' || at[place.length] === '['))

/** Returns the problems at a path and below it. */
const problemsIn = (problems: readonly Violation[], place: string) =>
  problems.filter((v) => isWithin(v.propertyPath, place))

/** Returns the numbers of questions asked at a path and below it. */
const placesIn = (asked: Readonly<Record<string, number>>, place: string) =>
  Object.entries(asked).filter(([at]) => isWithin(at, place))

/** Counts a question if it is required or has an invalid answer. It is filled only if its answer is valid. */
const question = (required: boolean, wrong: boolean): Count => ({
  filled: required && !wrong ? 1 : 0,
  required: required || wrong ? 1 : 0,
})

/** True for a copied answer that has not been confirmed. Such an answer is treated as unanswered. */
const isUnconfirmed = ({ code }: Violation) => code === 'unconfirmed'

const noneFilled = ({ required }: Count): Count => ({ filled: 0, required })

/**
 * Counts the questions in a module's own input by path, at least one for each problem. If the input as a whole is
 * invalid, all its questions are treated as unanswered.
 */
function countAsked(
  field: FormField,
  wrong: readonly Violation[],
  asked: readonly (readonly [string, number])[],
): Count {
  const places = asked.length ? asked : [[field.name, field.required ? 1 : 0] as const]
  const elsewhere = wrong.filter((v) => !places.some(([at]) => isWithin(v.propertyPath, at))).length
  const all = sum([
    ...places.map(([at, n]) => countPlace(n, problemsIn(wrong, at))),
    { filled: 0, required: elsewhere },
  ])
  return wrong.some((v) => v.propertyPath === field.name) ? noneFilled(all) : all
}

function countPlace(asked: number, wrong: readonly Violation[]): Count {
  const required = Math.max(asked, wrong.length)
  return { filled: wrong.some(isUnconfirmed) ? 0 : required - wrong.length, required }
}

/** Counts a field once, plus the fields of each of its rows. */
function countField(
  field: FormField,
  value: unknown,
  path: string,
  around: ValueLookup,
  problems: readonly Violation[],
): Count {
  if (field.kind !== 'rows') return question(field.required === true, problemsIn(problems, path).length > 0)
  const own = question(
    field.required === true,
    problems.some((v) => v.propertyPath === path),
  )
  const inside = toRowObjects(value).flatMap((row, i) => {
    const seen = visibleFieldsInRow(field.fields ?? [], row, around)
    const here = problemsIn(problems, `${path}[${i}]`)
    return seen.fields.map((f) => countField(f, row[f.name], `${path}[${i}].${f.name}`, seen.value, here))
  })
  const all = sum([own, ...inside])
  return problems.some((v) => v.propertyPath === path && isUnconfirmed(v)) ? noneFilled(all) : all
}

const sum = (counts: readonly Count[]): Count =>
  counts.reduce((a, b) => ({ filled: a.filled + b.filled, required: a.required + b.required }), {
    filled: 0,
    required: 0,
  })
