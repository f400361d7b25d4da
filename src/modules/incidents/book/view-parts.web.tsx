import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { labelOf } from '#kernel/fields.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { FieldValue } from '#web/forms/field-value.tsx'
import layout from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { CAUSE_FIELDS, INVESTIGATION_CHOICES, PLACE_FIELDS } from '../incident-facts.ts'
import { COMPOSED_MARK } from '../lookups/lookup.ts'
import { incidentAmendment, incidentEvent, incidentReport } from '../reports/incident-report.ts'
import css from '../reports/incidents.module.css'
import type { IncidentRecord } from '../reports/save-rows.web.ts'
import { REQUIRABLE_ANSWERS } from '../settings/required-answers.ts'
import { mergeChanges } from './history.ts'

const { fields } = incidentReport
type FactName = keyof typeof fields

interface Props {
  readonly report: IncidentRecord
}

interface FactsProps extends Props {
  readonly names: readonly FactName[]
  /** Sentence shown if none of the fields has a value. */
  readonly none: string
}

/** Values of an incident with their labels. Fields without a value are omitted. */
function Facts({ report, names, none }: FactsProps) {
  const shown = names.filter((name) => !isEmpty(report[name]))
  if (!shown.length)
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    )
  return (
    <dl className={css.facts}>
      {shown.map((name) => (
        <Fact key={name} label={labelOf(name, fields[name])}>
          <FieldValue field={fields[name]} value={report[name]} />
          {isComposed(report[name]) && COMPOSED_MARK}
        </Fact>
      ))}
    </dl>
  )
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === false || (Array.isArray(value) && !value.length)

const isComposed = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'composed' in value && value.composed === true

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd className={css.words}>{children}</dd>
  </>
)

const missingLabels = (names: readonly string[]): string =>
  REQUIRABLE_ANSWERS.flatMap(({ value, short }) => (names.includes(value) ? short : [])).join(', ')

export const IncidentFacts = ({ report }: Props) => (
  <>
    <Text className={css.words ?? ''}>{report.description}</Text>
    {report.missingAnswers.length > 0 && (
      <Text size="sm">{`Your company requires answers that this report does not give: ${missingLabels(report.missingAnswers)}. The reporter’s form did not insist on them.`}</Text>
    )}
    <Facts
      report={report}
      names={[
        'datetime',
        'reportedHarm',
        ...(report.reportedText && report.reportedText !== report.description ? (['reportedText'] as const) : []),
        'incidentType',
        'department',
        'supportDepartments',
        'subActivity',
        'workProcess',
        'mainIndustry',
        'reportedBy',
        'reporterContact',
        'byLink',
        'author',
        'reportedAt',
        'retireReason',
      ]}
      none="No details yet"
    />
  </>
)

export const PlaceFacts = ({ report }: Props) => <Facts report={report} names={PLACE_FIELDS} none="No place yet" />

export const InvestigationFacts = ({ report }: Props) => (
  <Facts report={report} names={[...INVESTIGATION_CHOICES, ...CAUSE_FIELDS]} none="Not investigated yet" />
)

/** Amendments of a closed incident, under the original text. Shows nothing if there are none. */
export function Amendments({ report }: Props) {
  const list = useList(incidentAmendment, { report: report['@id'], itemsPerPage: 100 })
  const all = list.data?.['hydra:member'] ?? []
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!all.length) return null
  return (
    <section className={layout.card} aria-label="Amendments">
      <Title order={2}>Amendments</Title>
      <ol className={css.list}>
        {all.map(({ id, text, reason, author, createdAt }) => (
          <li key={id}>
            <Text className={css.words ?? ''}>{text}</Text>
            <Text size="sm">Reason: {reason}</Text>
            <Text size="sm" c="dimmed">
              <PersonName username={author} />, <DateTimeText at={createdAt} />
            </Text>
          </li>
        ))}
      </ol>
    </section>
  )
}

export function IncidentHistory({ report }: Props) {
  const list = useList(incidentEvent, { report: report['@id'], itemsPerPage: 100 })
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LoadingRows rows={3} />
  return (
    <ol className={css.list}>
      {mergeChanges(list.data['hydra:member']).map(({ id, event, notes, author, createdAt }) => (
        <li key={id}>
          <strong>{event}</strong>
          <Text size="sm" c="dimmed">
            <PersonName username={author} />, <DateTimeText at={createdAt} />
          </Text>
          {notes && <Text className={css.words ?? ''}>{notes}</Text>}
        </li>
      ))}
    </ol>
  )
}
