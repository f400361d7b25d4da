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
export interface RecordChecks {
  /** Everything that keeps the record from being complete; without it, what the form says. */
  readonly problems?: readonly Violation[]
  /** By place, `controls` or `controls[3]`: how many questions the input of a `custom` field asks there. */
  readonly asked?: Readonly<Record<string, number>>
}

/**
 * How complete a form is (safety specification, section 5): required questions only, those with something wrong in them left
 * open. An optional answer that is wrong is a question until it is put right.
 */
export function completion(
  schema: FormSchema,
  values: Values,
  { problems = formProblems(schema, values), asked = {} }: RecordChecks = {},
): Completion {
  const seen = visible(schema, values)
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

/** Is this the place, or one below it? */
const isWithin = (at: string, place: string) =>
  at === place || (at.startsWith(place) && (at[place.length] === '.' || at[place.length] === '['))

/** What is wrong at a place and below it. */
const problemsIn = (problems: readonly Violation[], place: string) =>
  problems.filter((v) => isWithin(v.propertyPath, place))

/** How much is asked at a place and below it, by place. */
const placesIn = (asked: Readonly<Record<string, number>>, place: string) =>
  Object.entries(asked).filter(([at]) => isWithin(at, place))

/** A question, if it is one: it must be answered, or what was answered is wrong. */
const question = (required: boolean, wrong: boolean): Count => ({
  filled: required && !wrong ? 1 : 0,
  required: required || wrong ? 1 : 0,
})

/** Nobody has said that what came with a copy holds: nothing of it is answered. */
const isUnconfirmed = ({ code }: Violation) => code === 'unconfirmed'

const noneFilled = ({ required }: Count): Count => ({ filled: 0, required })

/** What a module's own input asks, place by place: at least what is wrong there. Where the whole of it is wrong, nothing of it is answered. */
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
  const all = sum([own, ...inside])
  return problems.some((v) => v.propertyPath === path && isUnconfirmed(v)) ? noneFilled(all) : all
}

const sum = (counts: readonly Count[]): Count =>
  counts.reduce((a, b) => ({ filled: a.filled + b.filled, required: a.required + b.required }), {
    filled: 0,
    required: 0,
  })
