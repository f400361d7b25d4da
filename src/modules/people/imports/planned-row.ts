import type { RowOf } from '#kernel/resource.ts'
import type { employee } from '../employees/employee.ts'
import type { Person } from './match.ts'
import type { EmployeeValues, ImportedRow } from './row.ts'

export type KnownEmployee = RowOf<typeof employee>

/** Records of the company with which rows are compared. */
export interface CompanyRecords {
  readonly employees: readonly KnownEmployee[]
  readonly departments: readonly { readonly id: number; readonly name: string }[]
  readonly sites: readonly { readonly id: number; readonly name: string }[]
}

/** A row with the employee that it adds or changes. `manager` is an employee, or the row that adds one. */
export interface PlannedRow {
  readonly row: ImportedRow
  readonly known: KnownEmployee | undefined
  /** Values of a new employee, or changed values of a known one, without the manager. */
  values: EmployeeValues
  manager: KnownEmployee | PlannedRow | undefined
  same: string
  /** Reason why the row is rejected. */
  wrong: string
  /** What a row lacks that is added nevertheless. */
  missing: string
}

export const isKnown = (one: KnownEmployee | PlannedRow): one is KnownEmployee => 'forename' in one
/** Returns the employee's number; undefined for a row whose employee is not added yet. */
export const idOfManager = (one: KnownEmployee | PlannedRow): number | undefined =>
  isKnown(one) ? one.id : one.known?.id

export const personOf = ({ values }: ImportedRow): Person => ({
  forename: values.forename ?? '',
  surname: values.surname ?? '',
  email: values.email ?? '',
  payroll: values.payroll ?? '',
  dob: values.dob ?? null,
})
