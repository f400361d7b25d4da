import { toRowObjects } from './rows.ts'
import type { FormCondition, FormFieldOption } from './schema.ts'

/** Function that reports a problem in a form version or custom form, with its path. */
export type FormProblemReporter = (path: string, message: string) => void

const CONDITIONS = 10
const CHOICES = 200
const MAX_TEXT_LENGTH = 255
const POINTS = 1000

/**
 * Reads and trims a string; returns `undefined` if it is missing or empty. Reports a problem for a missing or empty
 * string, and for one with more than `most` characters.
 */
export function parseFormText(
  value: unknown,
  path: string,
  most: number,
  refuse: FormProblemReporter,
): string | undefined {
  const words = typeof value === 'string' ? value.trim().toWellFormed() : ''
  if (!words) refuse(path, 'Field required, please enter text')
  if (words.length > most) refuse(path, `Please use at most ${most} characters`)
  return words || undefined
}

const isPlain = (value: unknown): boolean =>
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && value.length <= MAX_TEXT_LENGTH)

const isPlainList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length <= CHOICES && value.every(isPlain)

/** Parses visibility conditions. Each condition refers to one field. Reports and omits invalid conditions. */
export function parseFormConditions(value: unknown, path: string, refuse: FormProblemReporter): FormCondition[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > CONDITIONS) {
    refuse(path, `There can be at most ${CONDITIONS} conditions`)
    return []
  }
  return toRowObjects(value).flatMap((given, i) => {
    const { watch, equals, differs, in: among, notIn } = given
    const condition: FormCondition = {
      watch: typeof watch === 'string' ? watch : '',
      ...('equals' in given ? { equals } : {}),
      ...('differs' in given ? { differs } : {}),
      ...(isPlainList(among) ? { in: among } : {}),
      ...(isPlainList(notIn) ? { notIn } : {}),
    }
    const plain = isPlain(equals ?? null) && isPlain(differs ?? null)
    const lists = [among, notIn].every((l) => l === undefined || isPlainList(l))
    if (plain && lists && condition.watch && Object.keys(condition).length > 1) return [condition]
    refuse(`${path}[${i}]`, 'A condition must name a field and its value')
    return []
  })
}

function readPoints(value: unknown, path: string, refuse: FormProblemReporter): Pick<FormFieldOption, 'points'> {
  if (value === undefined || value === null) return {}
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= POINTS) return { points: value }
  refuse(path, `Points must be a whole number from 0 to ${POINTS}`)
  return {}
}

function readMeaning(value: unknown, path: string, refuse: FormProblemReporter): Pick<FormFieldOption, 'means'> {
  if (value === undefined || value === null) return {}
  if (value === 'fine' || value === 'defect') return { means: value }
  refuse(path, 'An option can stand for “fine” or “defect”')
  return {}
}

/** Reads a field's options. Reports a problem if two options have the same value, or stand for fine. */
export function parseFormOptions(value: unknown, path: string, refuse: FormProblemReporter): FormFieldOption[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > CHOICES) {
    refuse(path, `There can be at most ${CHOICES} options`)
    return []
  }
  const options = toRowObjects(value).flatMap((given, i): FormFieldOption[] => {
    const chosen = given.value
    const label = parseFormText(
      given.label ?? (typeof chosen === 'string' ? chosen : undefined),
      `${path}[${i}]`,
      MAX_TEXT_LENGTH,
      refuse,
    )
    if (
      (typeof chosen === 'number' && Number.isFinite(chosen)) ||
      (typeof chosen === 'string' && chosen !== '' && chosen.length <= MAX_TEXT_LENGTH)
    )
      return [
        {
          value: chosen,
          label: label ?? String(chosen),
          ...readPoints(given.points, `${path}[${i}].points`, refuse),
          ...readMeaning(given.means, `${path}[${i}].means`, refuse),
        },
      ]
    refuse(`${path}[${i}].value`, 'Please enter the value stored for this option')
    return []
  })
  if (new Set(options.map((o) => o.value)).size < options.length) refuse(path, 'Two options have the same value')
  if (options.filter((o) => o.means === 'fine').length > 1)
    refuse(path, 'Only one option of a question can stand for fine')
  return options
}
