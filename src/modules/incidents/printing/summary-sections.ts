import type { RecordOf } from '#kernel/resource.ts'
import type { correctiveAction } from '#modules/actions/corrective-action.ts'
import { INVESTIGATION_CHOICES, type incidentFacts } from '../incident-facts.ts'
import { formatMarkedName } from '../lookups/lookup.ts'
import { incidentPerson } from '../people/incident-person.ts'
import { type incidentOccurrence, incidentReport } from '../reports/incident-report.ts'
import type { SheetField, SheetSection } from '../riddor/sheet.ts'
import { describePrintStatus, formatPrintFields, numberPeople, pickEnteredFields } from './print-values.ts'

/** Members of lists, which never have confidential fields. */
export interface AnonymousIncident {
  readonly report: RecordOf<typeof incidentFacts>
  readonly people: readonly RecordOf<typeof incidentPerson>[]
  readonly occurrences: readonly RecordOf<typeof incidentOccurrence>[]
  readonly actions: readonly RecordOf<typeof correctiveAction>[]
}

/** Facts without free text, which can name people, and without the address, which can be a home address. */
const FACTS = [
  'number',
  'nearMiss',
  'datetime',
  'incidentType',
  'site',
  'addressType',
  'localAuthority',
  'nation',
  'department',
  'workProcess',
  'mainIndustry',
] as const
const PERSON = ['jobClass', 'incidentType', 'fallHeight', 'mainFactor'] as const

export const SUMMARY_NOTICE =
  'Names, addresses, dates of birth, statements and health details are left out. So are descriptions, causes, photos and all other free text, because they can name people.'

/** Returns the sections of an anonymous summary: chosen values only. */
export function buildSummarySections({ report, people, occurrences, actions }: AnonymousIncident): SheetSection[] {
  const injured = people.filter(({ recordType }) => recordType !== 'WT')
  const names = numberPeople(injured)
  const statusField = { label: 'Status', value: describePrintStatus(report).status }
  const witnesses = people.length - injured.length
  return [
    {
      title: 'Incident',
      fields: [statusField, ...pickEnteredFields(formatPrintFields(incidentReport, report, FACTS))],
    },
    ...injured.map((person) => ({
      title: names.get(person.id) ?? '',
      fields: pickEnteredFields(formatPrintFields(incidentPerson, person, PERSON)),
      none: 'No details entered.',
    })),
    {
      title: 'People',
      fields: [
        { label: 'Injured people', value: String(injured.length) },
        { label: 'Witnesses', value: String(witnesses) },
      ],
    },
    {
      title: 'Dangerous occurrences',
      fields: occurrences.map(({ dangerousOccurrence: chosen }) => ({
        label: formatMarkedName(chosen ?? {}),
        value: chosen?.description ?? '',
      })),
      none: 'No dangerous occurrences entered.',
    },
    {
      title: 'Investigation',
      fields: pickEnteredFields(formatPrintFields(incidentReport, report, INVESTIGATION_CHOICES)),
      none: 'Not investigated yet.',
    },
    { title: 'RIDDOR', fields: formatPrintFields(incidentReport, report, ['riddorDecision']) },
    { title: 'Corrective actions', fields: countActions(actions), none: 'No corrective actions.' },
  ]
}

const countActions = (actions: AnonymousIncident['actions']): SheetField[] =>
  actions.length
    ? [
        { label: 'Open', value: String(actions.filter(({ open }) => open).length) },
        { label: 'Done, or no longer needed', value: String(actions.filter(({ open }) => !open).length) },
      ]
    : []
