import { type Violation, violation } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import type { employee } from './employee.ts'
import {
  bankViolations,
  contactViolations,
  isNiNumber,
  normaliseNiNumber,
  normaliseSortCode,
  parseEmergencyContacts,
} from './private-details.ts'

const EARLIEST_BIRTH_DATE = '1900-01-01'
const BANK_FIELDS = ['accountHolder', 'sortCode', 'accountNumber'] as const

/** Changed values of an employee, and all values after the change. */
interface EmployeeChange {
  readonly changes: ValuesOf<typeof employee>
  readonly values: ValuesOf<typeof employee>
}

/** Returns the violations of the dates of birth and employment. */
export function employeeDateViolations({ changes, values }: EmployeeChange, today: string): readonly Violation[] {
  const { extCStartDate, leavingDate } = values
  const isBornWrong = changes.dob && (changes.dob < EARLIEST_BIRTH_DATE || changes.dob > today)
  const isFuture = changes.retired && leavingDate && leavingDate > today
  return [
    ...(isBornWrong ? [violation('dob', 'Please enter a date of birth between 1900 and today')] : []),
    ...(extCStartDate && leavingDate && leavingDate < extCStartDate
      ? [violation('leavingDate', 'The last day is before the employment start date')]
      : []),
    ...(isFuture
      ? [violation('leavingDate', 'The last day is in the future. The portal retires the employee after it')]
      : []),
  ]
}

/** Returns the changed private details in their stored form, and their violations. */
export function normalisePrivateDetails({ changes, values }: EmployeeChange): {
  readonly set: ValuesOf<typeof employee>
  readonly wrong: readonly Violation[]
} {
  const set: ValuesOf<typeof employee> = {}
  const wrong: Violation[] = []
  if (changes.nationalInsuranceNumber) {
    set.nationalInsuranceNumber = normaliseNiNumber(changes.nationalInsuranceNumber)
    if (!isNiNumber(set.nationalInsuranceNumber))
      wrong.push(violation('nationalInsuranceNumber', 'Please enter a number such as QQ 12 34 56 C'))
  }
  if (changes.emergencyContacts !== undefined) {
    const contacts = parseEmergencyContacts(changes.emergencyContacts ?? [])
    if (contacts) set.emergencyContacts = contacts
    wrong.push(
      ...(contacts
        ? contactViolations(contacts)
        : [violation('emergencyContacts', 'Please enter up to three contacts')]),
    )
  }
  if (BANK_FIELDS.some((name) => name in changes)) {
    const { accountHolder, accountNumber } = values
    const sortCode = normaliseSortCode(values.sortCode ?? '')
    wrong.push(...bankViolations({ accountHolder: accountHolder ?? '', sortCode, accountNumber: accountNumber ?? '' }))
    set.sortCode = sortCode
  }
  return { set, wrong }
}
