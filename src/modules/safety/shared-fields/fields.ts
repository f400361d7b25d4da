import type { Field } from '#kernel/fields.ts'
import type { FormField, FormGroup } from '#kernel/forms/schema.ts'

export const COMPLETED_FOR_EACH_SITE_TEXT = 'To be completed for each site'

/** Fields for a job's place and time, shared by all forms that describe a job. */
export const jobLocationFields: readonly FormField[] = [
  { name: 'project', kind: 'text', label: 'Project', confirm: true, width: 6 },
  {
    name: 'location',
    kind: 'text',
    label: 'Location',
    required: true,
    confirm: true,
    placeholder: COMPLETED_FOR_EACH_SITE_TEXT,
    width: 6,
  },
  { name: 'siteAddress', kind: 'longText', label: 'Site address', confirm: true, max: 1000 },
  { name: 'startDate', kind: 'date', label: 'Start date', confirm: true, width: 6 },
  { name: 'duration', kind: 'text', label: 'Duration', confirm: true, width: 6 },
]

export const equipmentField: FormField = { name: 'equipment', kind: 'longText', label: 'Equipment used' }

export const contractGroup: FormGroup = {
  title: 'The contract',
  fields: [
    { name: 'mainContractor', kind: 'text', label: 'Main contractor', confirm: true, width: 6 },
    { name: 'clientContact', kind: 'text', label: 'Client’s contact', confirm: true, width: 6 },
    { name: 'jobNumber', kind: 'text', label: 'Job number', confirm: true, width: 6 },
    { name: 'internalJobReference', kind: 'text', label: 'Our job reference', confirm: true, width: 6 },
  ],
}

export const firstAiderField: FormField = {
  name: 'firstAider',
  kind: 'person',
  label: 'First aider',
  confirm: true,
  width: 6,
}

export const personsAffectedField: FormField = {
  name: 'personsAffected',
  kind: 'number',
  label: 'Number of people',
  confirm: true,
  min: 0,
  max: 100_000,
  width: 6,
}

/** Names of the fields that describe a job, without the document's title. */
export const JOB_FIELD_NAMES = [...jobLocationFields, ...contractGroup.fields, firstAiderField, equipmentField].map(
  ({ name }) => name,
)

/** Job fields by which document lists can be searched and filtered. */
export const jobSearchFields = {
  project: { filter: 'partial', order: true, search: true },
  location: { filter: 'partial', order: true, search: true },
  jobNumber: { filter: 'partial', order: true, search: true },
  internalJobReference: { filter: 'partial', search: true },
  mainContractor: { filter: 'partial', search: true },
} as const satisfies Readonly<Record<string, Pick<Field, 'filter' | 'order' | 'search'>>>
