import { type Violation, violation } from '#kernel/errors.ts'

const HAZARD = /^(EU)?H\d{3}[A-Za-z]{0,2}(\+H\d{3}[A-Za-z]{0,2})*$/
const PRECAUTION = /^P\d{3}(\+P\d{3})*$/

interface LabelValues {
  readonly hazardStatements?: readonly string[] | null | undefined
  readonly precautions?: readonly string[] | null | undefined
  readonly sheetDate?: string | null | undefined
}

/** Normalises codes and removes duplicates. For example, "h314 " becomes H314. */
export const normaliseClpStatementCodes = (codes: readonly string[]) => [
  ...new Set(codes.map((code) => code.replace(/\s/g, '').replace(/(^|\+)(eu)?[hp]/gi, (start) => start.toUpperCase()))),
]

/**
 * Returns violations for malformed codes only. A well-formed code that is not in the list is accepted because it may be
 * newer than the list, but no approach is proposed for it.
 */
const wrongCodes = (path: string, codes: readonly string[], form: RegExp, example: string): Violation[] =>
  codes.flatMap((code, i) =>
    form.test(code)
      ? []
      : [violation(`${path}[${i}]`, `“${code}” is not a valid statement code. Please enter a code such as ${example}`)],
  )

/** Validates a substance's label values. `at` is the path of the substance for errors. */
export const validateSubstanceLabel = (
  { hazardStatements, precautions, sheetDate }: LabelValues,
  today: string,
  at = '',
): Violation[] => [
  ...wrongCodes(`${at}hazardStatements`, normaliseClpStatementCodes(hazardStatements ?? []), HAZARD, 'H314'),
  ...wrongCodes(`${at}precautions`, normaliseClpStatementCodes(precautions ?? []), PRECAUTION, 'P280'),
  ...(sheetDate && sheetDate.slice(0, 10) > today
    ? [violation(`${at}sheetDate`, 'The date of the data sheet can’t be in the future')]
    : []),
]
