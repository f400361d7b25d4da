import { mergeTextError, placeholdersIn } from '#kernel/text/merge-fields.ts'

/** Merge fields of contracts, with labels. */
export const CONTRACT_MERGE_FIELDS = {
  forename: 'Forename',
  surname: 'Surname',
  name: 'Full name',
  'job title': 'Job title',
  'start date': 'Employment start date',
  manager: 'Manager',
  department: 'Department',
  site: 'Site',
  'payroll number': 'Payroll number',
  company: 'Company',
  'company address': 'Company’s address',
  countersigner: 'Countersigner',
  today: 'Date of sending',
} as const

export type ContractMergeField = keyof typeof CONTRACT_MERGE_FIELDS
export type ContractMergeValues = Readonly<Record<ContractMergeField, string>>

/** Invented values for the preview of a template. */
export const SAMPLE_MERGE_VALUES: ContractMergeValues = {
  forename: 'Ann',
  surname: 'Carter',
  name: 'Ann Carter',
  'job title': 'Bricklayer',
  'start date': '1 September 2026',
  manager: 'Ben Holt',
  department: 'Operations',
  site: 'Main yard',
  'payroll number': 'A014',
  company: 'Acme Ltd',
  'company address': '1 High Street, Leeds, LS1 1AA',
  countersigner: 'Grace Webb',
  today: '24 August 2026',
}

/** Returns an error message for the text of a template: an unknown field, or a default value that would leave a gap. */
export function contractTextError(body: string): string | undefined {
  const gap = placeholdersIn(body).find(({ fallback }) => fallback === '')
  return (
    mergeTextError(CONTRACT_MERGE_FIELDS, body, 'contracts') ??
    (gap && `The field “${gap.name}” has an empty default value. Enter one after the line, or remove the line`)
  )
}

/** Returns labels of merge fields for a sentence, such as `job title and site`. */
export const describeMergeFields = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB').format(
    names.map((name) => (CONTRACT_MERGE_FIELDS[name as ContractMergeField] ?? name).toLowerCase()),
  )
