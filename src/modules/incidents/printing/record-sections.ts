import type { RecordOf } from '#kernel/resource.ts'
import { correctiveAction } from '#modules/actions/corrective-action.ts'
import { mergeChanges } from '../book/history.ts'
import { CAUSE_FIELDS, INVESTIGATION_CHOICES, PLACE_FIELDS } from '../incident-facts.ts'
import { formatMarkedName } from '../lookups/lookup.ts'
import { incidentPerson } from '../people/incident-person.ts'
import type { incidentFile } from '../reports/incident-file.ts'
import type { incidentAmendment, incidentEvent } from '../reports/incident-report.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { INCIDENT_QUESTIONS, PERSON_QUESTIONS } from '../riddor/questions.ts'
import { GENDERS, type SheetField, type SheetSection } from '../riddor/sheet.ts'
import {
  describePrintStatus,
  formatAbsences,
  formatAnswerFields,
  formatInstant,
  formatPrintFields,
  formatSpecifiedInjuries,
  numberPeople,
  pickEnteredFields,
} from './print-values.ts'
import { buildRiddorSections, type RiddorRecord } from './riddor-sections.ts'

export type PrintedReport = RecordOf<typeof incidentReport>
type Person = NonNullable<PrintedReport['personnel']>[number]
type RiskLink = NonNullable<PrintedReport['riskLinks']>[number]

/** Everything in the record of an incident that its reader may see. */
export interface AccidentRecord extends RiddorRecord {
  readonly report: PrintedReport
  readonly amendments: readonly RecordOf<typeof incidentAmendment>[]
  readonly events: readonly RecordOf<typeof incidentEvent>[]
  /** Undefined if the reader may not read corrective actions. */
  readonly actions: readonly RecordOf<typeof correctiveAction>[] | undefined
  readonly files: readonly RecordOf<typeof incidentFile>[]
  /** Descriptions of the effects of injuries, by ID. */
  readonly effects: ReadonlyMap<number, string>
  /** True if the reader may see investigation, decisions and history. */
  readonly isBookReader: boolean
}

/** Returns the sections of an accident record, in the order in which they are printed. */
export function buildAccidentRecordSections(record: AccidentRecord): SheetSection[] {
  const { report, isBookReader } = record
  const people = (report.personnel ?? []).filter(({ retired }) => !retired)
  const names = numberPeople(people)
  return [
    { title: 'Incident', fields: incidentFields(record) },
    {
      title: 'What happened',
      fields: formatPrintFields(incidentReport, report, [
        'description',
        ...(report.reportedText === report.description ? [] : (['reportedText'] as const)),
        'reportedHarm',
      ]),
    },
    ...amendmentSections(record),
    {
      title: 'Where it happened',
      fields: pickEnteredFields(formatPrintFields(incidentReport, report, PLACE)),
      none: 'No place entered.',
    },
    ...people.map((person) => ({ title: names.get(person.id) ?? '', fields: personFields(person, record.effects) })),
    ...(people.length ? [] : [{ title: 'People', fields: [], none: 'No injured people or witnesses entered.' }]),
    ...(isBookReader ? bookSections(record, names) : []),
    { title: 'Photos and documents', fields: fileFields(record), none: 'No photos or documents.' },
    ...deletedSections(report),
  ]
}

const FACTS = [
  'number',
  'nearMiss',
  'datetime',
  'incidentType',
  'department',
  'supportDepartments',
  'subActivity',
  'workProcess',
  'mainIndustry',
  'reportedBy',
  'reporterContact',
  'byLink',
  'reportedAt',
  'closedAt',
  'retireReason',
] as const
const PLACE = [...PLACE_FIELDS, 'latitude', 'longitude'] as const
const INVESTIGATION = [...INVESTIGATION_CHOICES, ...CAUSE_FIELDS] as const

const incidentFields = ({ report, nameOf }: AccidentRecord): SheetField[] => [
  { label: 'Status', value: describePrintStatus(report).status },
  ...pickEnteredFields(formatPrintFields(incidentReport, report, FACTS)),
  { label: 'Entered by', value: nameOf(report.author) },
]

const amendmentSections = ({ amendments, nameOf }: AccidentRecord): SheetSection[] =>
  amendments.length
    ? [
        {
          title: 'Amendments',
          fields: amendments.flatMap(({ text, reason, author, createdAt }) => [
            { label: `${formatInstant(createdAt)}, ${nameOf(author)}`, value: text },
            { label: 'Reason for the amendment', value: reason },
          ]),
        },
      ]
    : []

const PERSON_FACTS = [
  'name',
  'jobClass',
  'jobClassText',
  'hseNumber',
  'payroll',
  'jobTitle',
  'commencedEmployment',
  'dateOfBirth',
  'age',
] as const
const ADDRESS = ['address1', 'address2', 'city', 'county', 'postcode', 'telephone', 'mobile'] as const
const INJURY = [
  'incidentType',
  'fallHeight',
  'mainFactor',
  'injurySustained',
  'severity',
  'bodyPart',
  'description',
  'harm',
  'diedOn',
] as const

function personFields(person: Person, effects: ReadonlyMap<number, string>): SheetField[] {
  const { recordType, sex, injuryEffect, specified, absences, answers } = person
  const isWitness = recordType === 'WT'
  return [
    ...pickEnteredFields(formatPrintFields(incidentPerson, person, PERSON_FACTS)),
    ...(sex ? [{ label: 'Gender', value: GENDERS[sex] ?? '' }] : []),
    ...pickEnteredFields(formatPrintFields(incidentPerson, person, ADDRESS)),
    ...(isWitness ? [] : pickEnteredFields(formatPrintFields(incidentPerson, person, INJURY))),
    ...pickEnteredFields([
      {
        label: 'Effect of the injury',
        value: (injuryEffect ?? []).map((id) => effects.get(id) ?? `Number ${id}`).join('\n'),
      },
      { label: 'Specified injuries (regulation 4(1))', value: formatSpecifiedInjuries(specified).join('\n') },
      { label: 'Unable to do routine work', value: formatAbsences(absences).join('\n') },
    ]),
    ...formatAnswerFields(answers, PERSON_QUESTIONS),
    ...formatPrintFields(incidentPerson, person, ['statement']),
  ]
}

function bookSections(record: AccidentRecord, names: ReadonlyMap<number, string>): SheetSection[] {
  const { report, events, nameOf } = record
  const occurrences = (report.dangerousOccurrences ?? []).filter(({ retired }) => !retired)
  return [
    {
      title: 'Dangerous occurrences',
      fields: occurrences.map(({ dangerousOccurrence: chosen, hseNumber }) => ({
        label: `${formatMarkedName(chosen ?? {})}${hseNumber ? `, HSE number ${hseNumber}` : ''}`,
        value: chosen?.description ?? '',
      })),
      none: 'No dangerous occurrences entered.',
    },
    { title: 'Risk assessments', fields: (report.riskLinks ?? []).map(riskField), none: 'No risk assessments linked.' },
    actionSection(record),
    {
      title: 'Investigation',
      fields: pickEnteredFields(formatPrintFields(incidentReport, report, INVESTIGATION)),
      none: 'Not investigated yet.',
    },
    {
      title: 'Facts for RIDDOR',
      fields: [
        ...pickEnteredFields(formatPrintFields(incidentReport, report, ['disease', 'diagnosedOn', 'gasLearnedOn'])),
        ...formatAnswerFields(report.answers, INCIDENT_QUESTIONS),
      ],
      none: 'No facts entered.',
    },
    ...buildRiddorSections(record, names),
    {
      title: 'History',
      fields: mergeChanges(events).map(({ event, notes, author, createdAt }) => ({
        label: `${formatInstant(createdAt)}, ${nameOf(author)}`,
        value: [event, notes].filter(Boolean).join('\n'),
      })),
      none: 'No history.',
    },
  ]
}

const riskField = ({ riskAssessment, riskAssessmentDocumentNumber: number, ...link }: RiskLink): SheetField => ({
  label: number || (riskAssessment ? 'Risk assessment' : 'Other'),
  value: number ? link.description : link.other,
})

function actionSection({ actions, nameOf }: AccidentRecord): SheetSection {
  return {
    title: 'Corrective actions',
    none: actions ? 'No corrective actions.' : 'Corrective actions are not available to you.',
    fields: (actions ?? []).map((action) => ({
      label: action.number,
      value: [
        action.description,
        ...pickEnteredFields(
          formatPrintFields(correctiveAction, action, [
            'state',
            'deadline',
            'managerName',
            'notes',
            'adminNotes',
            'proof',
          ]),
        ).map(({ label, value }) => `${label}: ${value}`),
        ...(action.completedAt
          ? [`Completed: ${formatInstant(action.completedAt)}, ${action.completedByLink || nameOf(action.completedBy)}`]
          : []),
        ...(action.verifiedAt ? [`Verified: ${formatInstant(action.verifiedAt)}, ${nameOf(action.verifiedBy)}`] : []),
      ].join('\n'),
    })),
  }
}

const fileFields = ({ files, nameOf }: AccidentRecord): SheetField[] =>
  files.map(({ name, author, createdAt }) => ({
    label: name,
    value: `Uploaded ${formatInstant(createdAt)}, ${nameOf(author)}`,
  }))

/** States how many people and occurrences were deleted, because they are not printed. */
function deletedSections({ personnel, dangerousOccurrences }: PrintedReport): SheetSection[] {
  const counted = [
    ['People', (personnel ?? []).filter(({ retired }) => retired).length],
    ['Dangerous occurrences', (dangerousOccurrences ?? []).filter(({ retired }) => retired).length],
  ] as const
  const fields = counted.flatMap(([label, count]) => (count ? [{ label, value: String(count) }] : []))
  return fields.length ? [{ title: 'Deleted entries, not printed', fields }] : []
}
