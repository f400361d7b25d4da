import type { Violation } from '../errors.ts'
import type { Lookup } from './conditions.ts'
import { fieldsIn } from './fields-in.ts'
import { formProblems } from './problems.ts'
import { rowsOf } from './rows.ts'
import type { FormField, FormSchema } from './schema.ts'
import { type Values, visible, visibleInRow } from './visible.ts'

export interface StepCompletion {
  readonly filled: number
  readonly required: number
  readonly complete: boolean
}

export interface Completion {
  /** 0 to 1: of the required questions that are visible, those that are answered; 1 exactly when nothing is wrong. */
  readonly share: number
  /** Whole percent; 100 only when everything is there. */
  readonly percent: number
  /** By the step's name; steps that are not shown are absent. */
  readonly steps: Readonly<Record<string, StepCompletion>>
}

/** What is known of a record beyond what its form says. */
export interface Judged {
  /** Everything that keeps the record from being complete; without it, what the form says. */
  readonly problems?: readonly Violation[]
  /** By the name of a `custom` field: how many questions its input asks. */
  readonly asked?: Readonly<Record<string, number>>
}

/**
 * How complete a form is (safety specification, section 5): required questions only, those with something wrong in them left
 * open. An optional answer that is wrong is a question until it is put right.
 */
export function completion(
  schema: FormSchema,
  values: Values,
  { problems = formProblems(schema, values), asked = {} }: Judged = {},
): Completion {
  const seen = visible(schema, values)
  const steps = seen.steps.map(({ step, groups }) => {
    const count = sum(
      groups.flatMap((g) =>
        g.fields.map((f) =>
          f.kind === 'custom'
            ? countAsked(f, problemsIn(problems, f.name), asked[f.name] ?? 0)
            : countField(f, values[f.name], f.name, seen.value, problemsIn(problems, f.name)),
        ),
      ),
    )
    return [step.name, { ...count, complete: count.filled === count.required }] as const
  })
  const names = new Set(fieldsIn(seen).map((f) => f.name))
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

/** What is wrong at a place and below it. */
const problemsIn = (problems: readonly Violation[], path: string) =>
  problems.filter(
    ({ propertyPath: at }) =>
      at === path || (at.startsWith(path) && (at[path.length] === '.' || at[path.length] === '[')),
  )

/** A question, if it is one: it must be answered, or what was answered is wrong. */
const question = (required: boolean, wrong: boolean): Count => ({
  filled: required && !wrong ? 1 : 0,
  required: required || wrong ? 1 : 0,
})

/** What a room's own input asks: at least what is wrong in it. Where the whole of it is wrong, nothing of it is answered. */
function countAsked(field: FormField, wrong: readonly Violation[], asked: number): Count {
  const required = Math.max(asked, wrong.length, field.required ? 1 : 0)
  const whole = wrong.some((v) => v.propertyPath === field.name)
  return { filled: whole ? 0 : required - wrong.length, required }
}

/** A field counts once; the fields of each row count on top. */
function countField(
  field: FormField,
  value: unknown,
  path: string,
  around: Lookup,
  problems: readonly Violation[],
): Count {
  if (field.kind !== 'rows') return question(field.required === true, problemsIn(problems, path).length > 0)
  const own = question(
    field.required === true,
    problems.some((v) => v.propertyPath === path),
  )
  const inside = rowsOf(value).flatMap((row, i) => {
    const seen = visibleInRow(field.fields ?? [], row, around)
    const here = problemsIn(problems, `${path}[${i}]`)
    return seen.fields.map((f) => countField(f, row[f.name], `${path}[${i}].${f.name}`, seen.value, here))
  })
  return sum([own, ...inside])
}

const sum = (counts: readonly Count[]): Count =>
  counts.reduce((a, b) => ({ filled: a.filled + b.filled, required: a.required + b.required }), {
    filled: 0,
    required: 0,
  })
