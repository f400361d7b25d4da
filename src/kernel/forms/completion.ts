import type { Violation } from '../errors.ts'
import { violation } from '../errors.ts'
import { readSignature, signatureProblems } from '../signature.ts'
import { hasVisibleText } from '../text.ts'
import { fieldViolations, requiredMessage } from '../validate.ts'
import type { ValueLookup } from './conditions.ts'
import { toEngineField } from './fields.ts'
import { fieldsIn } from './fields-in.ts'
import { hasAnswer, isContactComplete } from './losses.ts'
import { rowsOf } from './rows.ts'
import type { FormField, FormKind, FormSchema } from './schema.ts'
import { cleanAnswer, unreadableAnswerMessage } from './score.ts'
import { type Values, visibleForm, visibleInRow } from './visible.ts'

const TEXT = 'Field required, please enter text'
const NUMBER = 'Field required, please enter number'
const CHOICE = 'Field required, select an option'
/** Emergency contacts are dialled: digits and the usual separators. */
const TELEPHONE = 'Please enter a telephone number in digits'
const DIALLED = /^\+?(?=\D*\d)[\d\s()./-]+(?:(?:x|ext\.?)\s*\d+)?$/i

const DATES = new Set<FormKind>(['date', 'dateTime'])

/** Messages that differ from the engine's: fixed by the specification (section 5), or for values without one. */
const MISSING: Partial<Record<FormKind, string>> = {
  select: CHOICE,
  autocomplete: CHOICE,
  remoteSelect: CHOICE,
  combobox: CHOICE,
  imageCards: CHOICE,
  checkbox: 'Field required',
  switch: TEXT,
  uploads: 'Field required, please add a file',
  signature: 'Field required, please sign',
  rows: 'Field required, please add at least one',
  custom: 'Field required',
}

/** Returns what prevents the form from being complete, in the form's order; only visible fields count. */
export function formProblems(schema: FormSchema, values: Values): Violation[] {
  const seen = visibleForm(schema, values)
  const fields = fieldsIn(seen)
  return fields.flatMap((f) => fieldProblems(f, values[f.name], f.name, seen.value))
}

/** Returns the problems of one field and its content; `around` is what the conditions of its rows may watch. */
function fieldProblems(field: FormField, value: unknown, path: string, around: ValueLookup): Violation[] {
  // A box that must be ticked requires a yes.
  const missing = field.kind === 'checkbox' ? value !== true : !hasAnswer(field, value)
  if (missing && !field.required) return []
  if (missing)
    return field.kind === 'emergencyContacts'
      ? [violation(`${path}[0].name`, TEXT), violation(`${path}[0].number`, NUMBER)]
      : [violation(path, missingMessage(field))]
  if (field.kind === 'rows') return rowsProblems(field, value, path, around)
  if (field.kind === 'emergencyContacts')
    return rowsOf(cleanAnswer(field, value)).flatMap((c, i) => contactProblems(c, `${path}[${i}]`))
  if (field.kind === 'signature') {
    const given = readSignature(value)
    return given ? signatureProblems(given).map((v) => ({ ...v, propertyPath: `${path}.${v.propertyPath}` })) : []
  }
  const message = problemWith(field, value)
  return message ? [violation(path, message)] : []
}

const missingMessage = (f: FormField): string =>
  f.message ?? MISSING[f.kind] ?? requiredMessage({ ...toEngineField(f), required: true })

function rowsProblems(field: FormField, value: unknown, path: string, around: ValueLookup): Violation[] {
  const rows = rowsOf(value)
  const count =
    field.min !== undefined && rows.length < field.min
      ? `${field.label} must have at least ${field.min}`
      : field.max !== undefined && rows.length > field.max
        ? `${field.label} can have at most ${field.max}`
        : undefined
  const inside = rows.flatMap((row, i) => {
    const seen = visibleInRow(field.fields ?? [], row, around)
    return seen.fields.flatMap((f) => fieldProblems(f, row[f.name], `${path}[${i}].${f.name}`, seen.value))
  })
  return count ? [violation(path, count), ...inside] : inside
}

/** A contact has both a name and a number, or neither. */
function contactProblems(contact: Values, path: string): Violation[] {
  if (!isContactComplete(contact)) return []
  const text = (part: unknown) => typeof part === 'string' && hasVisibleText(part)
  return [
    ...(text(contact.name) ? [] : [violation(`${path}.name`, TEXT)]),
    ...(text(contact.number)
      ? DIALLED.test(String(contact.number).trim())
        ? []
        : [violation(`${path}.number`, TELEPHONE)]
      : [violation(`${path}.number`, NUMBER)]),
  ]
}

/** Returns the problem of a given value. */
function problemWith(f: FormField, value: unknown): string | undefined {
  if (f.kind === 'number' && !Number.isFinite(Number(value))) return NUMBER
  if (DATES.has(f.kind) && cleanAnswer(f, value) === null) return unreadableAnswerMessage(f)
  if (f.kind === 'select' && f.options && !f.options.some((o) => o.value === value))
    return 'Please select one of the options'
  const kept = { [f.name]: { ...toEngineField(f), label: f.label } }
  return fieldViolations(kept, { [f.name]: f.kind === 'number' ? Number(value) : value })[0]?.message
}

export interface StepCompletion {
  readonly filled: number
  readonly required: number
  readonly complete: boolean
}

export interface FormCompletion {
  /** 0 to 1: share of visible required questions that are answered; 1 exactly if nothing is wrong. */
  readonly share: number
  /** Whole per cent; 100 only if complete. */
  readonly percent: number
  /** By step name; hidden steps are omitted. */
  readonly steps: Readonly<Record<string, StepCompletion>>
}

/** Checks of a record beyond those of its form. */
export interface RecordChecks {
  /** Everything that prevents completion; defaults to the problems of the form. */
  readonly problems?: readonly Violation[]
  /** Number of questions in the input of a `custom` field, by path: `controls` or `controls[3]`. */
  readonly asked?: Readonly<Record<string, number>>
}

/**
 * Calculates how complete a form is (safety specification, section 5). Only required questions count; those with a
 * problem are open. An optional answer with a problem counts as a question until it is corrected.
 */
export function formCompletion(
  schema: FormSchema,
  values: Values,
  { problems = formProblems(schema, values), asked = {} }: RecordChecks = {},
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

/** True if the path is the place or below it. */
const isWithin = (at: string, place: string) =>
  at === place || (at.startsWith(place) && (at[place.length] === '.' || at[place.length] === '['))

/** Returns the problems at a place and below it. */
const problemsIn = (problems: readonly Violation[], place: string) =>
  problems.filter((v) => isWithin(v.propertyPath, place))

/** Returns the numbers of questions at a place and below it. */
const placesIn = (asked: Readonly<Record<string, number>>, place: string) =>
  Object.entries(asked).filter(([at]) => isWithin(at, place))

/** Counts a question if it is required or its answer is wrong. */
const question = (required: boolean, wrong: boolean): Count => ({
  filled: required && !wrong ? 1 : 0,
  required: required || wrong ? 1 : 0,
})

/** A copied answer that has not been confirmed counts as unanswered. */
const isUnconfirmed = ({ code }: Violation) => code === 'unconfirmed'

const noneFilled = ({ required }: Count): Count => ({ filled: 0, required })

/**
 * Counts the questions of a module's own input by place: at least one for each problem. If the whole input is wrong,
 * none is answered.
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

/** A field counts once, plus the fields of each row. */
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
