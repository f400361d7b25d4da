import { formatIsoDateAsUk } from '#kernel/time.ts'
import { employee } from '../employees/employee.ts'

/** Returns the address of the report on the data that remains after the identity of an employee is erased. */
export const retainedDataUrl = (id: number | string): string => `${employee.url}/${id}/retained-data`

/** Rule of `db/reference/retention-periods.json`. */
export interface RetentionRule {
  readonly id: number
  readonly record: string
  /** Years for which a record is stored; null if the rule has another end. */
  readonly keepYears: number | null
  readonly reference: string
}

/** Data of an employee that remains under a number, with the rule by which it is stored. */
export interface RetainedData {
  readonly data: string
  readonly count: number
  readonly rule: string
  readonly reference: string
  /** Last day on which the rule forbids erasing the identity. */
  readonly until: string
}

/** Records that may still change, in which erasing the identity replaces the name. */
export interface ReplacedNames {
  readonly data: string
  readonly count: number
}

export interface ErasureReport {
  readonly retained: readonly RetainedData[]
  readonly replaced: readonly ReplacedNames[]
  /** Reason why the identity can't be erased yet; empty if it can. */
  readonly refusal: string
}

/** Records of an employee, by which retention is counted. Days are those of the latest record. */
export interface RetentionFacts {
  readonly lastDay: string
  readonly born: string | null
  readonly jobs: number
  readonly contracts: number
  readonly sickness: number
  readonly signatures: number
  readonly training: number
  readonly patterns: number
  readonly rightToWork: number
  readonly leave: number
  readonly leaveRecordedOn: string | null
  /** Sealed documents and completed forms that name the employee. */
  readonly documents: number
  /** Last day on which one of these documents was replaced. */
  readonly documentsReplacedOn: string | null
  readonly accidents: readonly {
    readonly happenedOn: string
    readonly recordedOn: string
    readonly reported: boolean
  }[]
}

/** IDs of the rules that apply to employees. */
const RULES = {
  riddor: 1,
  accident: 2,
  childAccident: 3,
  document: 16,
  training: 17,
  rightToWork: 18,
  leave: 19,
  workingTime: 20,
  contract: 24,
} as const
const ADULT_AGE_YEARS = 18
/** Age until which a person who was a child at the accident may claim. */
const CLAIM_AGE_YEARS = 21

const addYears = (day: string, years: number): string => Temporal.PlainDate.from(day).add({ years }).toString()
const latestOf = (days: readonly string[]): string => days.toSorted().at(-1) ?? ''

/** Returns the data that remains, each kind with its rule. The record of the employment itself is always among them. */
export function findRetainedData(facts: RetentionFacts, rules: readonly RetentionRule[]): RetainedData[] {
  const row = (data: string, count: number, id: number, from: string, until?: string): RetainedData[] => {
    const rule = rules.find((one) => one.id === id)
    if (!rule) throw new Error(`There is no retention rule ${id}`)
    const end = until ?? addYears(from, rule.keepYears ?? 0)
    return count ? [{ data, count, rule: rule.record, reference: rule.reference, until: end }] : []
  }
  const { lastDay, born, accidents } = facts
  const reported = accidents.filter((one) => one.reported)
  const asChild = born ? accidents.filter(({ happenedOn }) => addYears(born, ADULT_AGE_YEARS) > happenedOn) : []
  const recorded = (some: RetentionFacts['accidents']) => latestOf(some.map(({ recordedOn }) => recordedOn)) || lastDay
  return [
    ...row('Employment and history of jobs', Math.max(facts.jobs, 1), RULES.contract, lastDay),
    ...row('Contracts', facts.contracts, RULES.contract, lastDay),
    ...row('Sickness absences', facts.sickness, RULES.contract, lastDay),
    ...row('Signatures, as proof of training', facts.signatures, RULES.training, lastDay),
    ...row('Documents and completed forms', facts.documents, RULES.document, facts.documentsReplacedOn ?? lastDay),
    ...row('Training records', facts.training, RULES.training, lastDay),
    ...row('Leave', facts.leave, RULES.leave, facts.leaveRecordedOn ?? lastDay),
    ...row('Work patterns', facts.patterns, RULES.workingTime, lastDay),
    ...row('Right-to-work checks', facts.rightToWork, RULES.rightToWork, lastDay),
    ...row('Accident book entries', accidents.length, RULES.accident, recorded(accidents)),
    ...row('Reports under RIDDOR', reported.length, RULES.riddor, recorded(reported)),
    ...row(
      'Accidents as a child',
      asChild.length,
      RULES.childAccident,
      lastDay,
      born ? addYears(born, CLAIM_AGE_YEARS) : undefined,
    ),
  ]
}

/** Returns the reason why an identity can't be erased on a day; empty if it can. */
export function describeRefusal(retained: readonly RetainedData[], today: string): string {
  const last = retained.toSorted((a, b) => (a.until < b.until ? 1 : -1))[0]
  if (!last || last.until < today) return ''
  return `The identity must be stored until ${formatIsoDateAsUk(last.until)}: ${last.data.toLowerCase()}, by the rule “${last.rule}” (${last.reference}).`
}

/** Returns the name under which the records of an employee remain. */
export const formerEmployeeName = (id: number): { forename: string; surname: string } => ({
  forename: 'Former employee',
  surname: String(id),
})
