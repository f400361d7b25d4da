import { labelOf } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { type ExportColumn, exportColumn, findRelatedRecordId } from '#server/exports/columns.ts'
import { CAUSE_FIELDS, INVESTIGATION_CHOICES, incidentFacts, PLACE_FIELDS } from '../incident-facts.ts'
import { incidentPerson } from '../people/incident-person.ts'
import { formatAbsences, formatAnswerFields, formatSpecifiedInjuries } from '../printing/print-values.ts'
import { incidentAmendment } from '../reports/incident-report.ts'
import { INCIDENT_QUESTIONS, PERSON_QUESTIONS } from '../riddor/questions.ts'
import { GENDERS } from '../riddor/sheet.ts'

const INCIDENT = [
  'number',
  'state',
  'retired',
  'retireReason',
  'nearMiss',
  'datetime',
  'incidentType',
  'description',
  'reportedText',
  'reportedHarm',
] as const
const FURTHER = [
  ...PLACE_FIELDS,
  'latitude',
  'longitude',
  'department',
  'supportDepartments',
  'subActivity',
  'workProcess',
  'mainIndustry',
  'reportedBy',
  'reporterContact',
  'byLink',
  'author',
  'createdAt',
  'reportedAt',
  'closedAt',
  ...CAUSE_FIELDS,
  ...INVESTIGATION_CHOICES,
  'disease',
  'diagnosedOn',
  'gasLearnedOn',
  'riddorOutcome',
  'riddorDecision',
  'clockStartedOn',
  'reportBy',
  'hseReference',
  'hseSentOn',
] as const
const PERSON = [
  'recordType',
  'name',
  'hseNumber',
  'jobClass',
  'jobClassText',
  'payroll',
  'jobTitle',
  'commencedEmployment',
  'dateOfBirth',
  'age',
] as const
const INJURY = [
  'employee',
  'address1',
  'address2',
  'city',
  'county',
  'postcode',
  'telephone',
  'mobile',
  'incidentType',
  'fallHeight',
  'mainFactor',
  'injurySustained',
  'severity',
  'riddor',
  'bodyPart',
  'description',
  'harm',
  'diedOn',
  'statement',
  'statementReceivedAt',
  'statementAddition',
] as const

/** Returns a column with a text for the value of a field, such as a list of absences. */
function formattedColumn(
  r: Resource,
  name: string,
  format: (value: never) => readonly string[],
  label = labelOf(name, r.fields[name] ?? { kind: 'text' }),
): ExportColumn {
  const value = (record: ApiRecord) => format((record[name] ?? null) as never).join('\n') || null
  return { ...exportColumn(r, name, label), value }
}

const answered =
  (questions: Parameters<typeof formatAnswerFields>[1]) => (answers: Parameters<typeof formatAnswerFields>[0]) =>
    formatAnswerFields(answers, questions).map(({ label, value }) => `${label}: ${value}`)

const ofPerson = (name: string) => `Person: ${labelOf(name, incidentPerson.fields[name as never]).toLowerCase()}`
const personColumn = (name: string) => exportColumn(incidentPerson, name, ofPerson(name))
const formattedPersonColumn = (name: string, format: (value: never) => readonly string[]) =>
  formattedColumn(incidentPerson, name, format, ofPerson(name))

export const INCIDENT_COLUMNS: readonly ExportColumn[] = [...INCIDENT, ...FURTHER]
  .map((name) => exportColumn(incidentFacts, name))
  .concat(formattedColumn(incidentFacts, 'answers', answered(INCIDENT_QUESTIONS)))

/** Columns of a person. `effects`: descriptions of the effects of injuries, by ID. */
export const buildPersonColumns = (effects: ReadonlyMap<number, string>): readonly ExportColumn[] => [
  ...PERSON.map(personColumn),
  formattedPersonColumn('sex', (sex: number | null) => [GENDERS[sex ?? 0] ?? '']),
  ...INJURY.map(personColumn),
  formattedPersonColumn('injuryEffect', (ids: readonly number[] | null) =>
    (ids ?? []).map((id) => effects.get(id) ?? `Number ${id}`),
  ),
  formattedPersonColumn('specified', formatSpecifiedInjuries),
  formattedPersonColumn('absences', formatAbsences),
  formattedPersonColumn('answers', answered(PERSON_QUESTIONS)),
]

/** Column with the ID of the incident to which a row belongs. */
const reportColumn = (r: Resource): ExportColumn => {
  const column = exportColumn(r, 'report')
  return { ...column, value: (record) => findRelatedRecordId(column.field, record.report) ?? null }
}
export const REPORT_OF_PERSON = reportColumn(incidentPerson)
export const AMENDMENT_COLUMNS: readonly ExportColumn[] = [
  reportColumn(incidentAmendment),
  ...['createdAt', 'author', 'text', 'reason'].map((name) => exportColumn(incidentAmendment, name)),
]

/** Heading of the column with the amendments of an incident; a cell combines several records. */
export const AMENDMENTS: ExportColumn = exportColumn(incidentAmendment, 'text', 'Amendments')
