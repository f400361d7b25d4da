import { Text, Title } from '@mantine/core'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { incidentReport } from '../reports/incident-report.ts'
import { RIDDOR_DECISIONS } from '../reports/riddor-decision.ts'
import { countDaysLate } from './proposal.ts'
import type { RiddorScreeningResponse } from './response.ts'
import css from './riddor.module.css'
import { type Report, useRefresh } from './screening-data.web.ts'
import { OUTCOMES } from './words.ts'

/** Returns an action of an incident as a resource whose fields are the action’s input. */
function formOf(report: Report, name: 'decideRiddor' | 'recordHseReport'): Resource {
  const action = incidentReport.actions?.[name]
  return {
    ...incidentReport,
    url: `${iriOf(incidentReport, report.id)}/${action?.path}`,
    fields: action?.input ?? {},
  } as Resource
}

interface Props {
  readonly report: Report
  readonly screening: RiddorScreeningResponse
}

/** Form for the decision. The fingerprint proves which proposal was on the screen. */
export function DecisionForm({ report, screening }: Props) {
  const refresh = useRefresh()
  const resource = formOf(report, 'decideRiddor')
  return (
    <section aria-label="Decision">
      <Title order={3}>Decision</Title>
      <Text size="sm" c="dimmed">
        “Not reportable”, and any decision that differs from the proposal, needs a reason.
      </Text>
      <ResourceForm
        resource={resource}
        fields={['decision', 'reason', ...(screening.clock ? [] : ['reportBy'])]}
        wide={['reason']}
        extra={{ expected: screening.fingerprint }}
        action="Save the decision"
        decided
        focused={false}
        done={() => 'Decision saved'}
        onLook={refresh}
        onSaved={refresh}
      />
    </section>
  )
}

/** Form for the reference that HSE or HSENI gave. Entering it again is a correction. */
export function HseReportForm({ report }: { readonly report: Report }) {
  const refresh = useRefresh()
  const isCorrection = report.hseSentOn !== null
  return (
    <section aria-label="Report to HSE">
      <Title order={3}>{isCorrection ? 'Correct the report to HSE' : 'Report to HSE'}</Title>
      <Text size="sm" c="dimmed">
        {isCorrection
          ? 'The first entry stays in the history.'
          : 'Send the report to HSE first. Then enter the reference that you received; this stops the clock.'}
      </Text>
      <ResourceForm
        key={report.hseReference}
        resource={formOf(report, 'recordHseReport')}
        fields={['reference', 'sentOn', ...(isCorrection ? ['reason'] : [])]}
        action={isCorrection ? 'Save the correction' : 'Save the report'}
        decided
        focused={false}
        done={() => 'Report to HSE saved'}
        onSaved={refresh}
      />
    </section>
  )
}

/** Earlier decisions and reports to HSE, newest first. */
export function RiddorHistory({ screening: { decisions, sent, today } }: Pick<Props, 'screening'>) {
  if (!decisions.length && !sent.length) return null
  return (
    <section aria-label="Decisions and reports so far">
      <Title order={3}>Decisions and reports so far</Title>
      <ol className={css.list} reversed>
        {decisions.toReversed().map(({ id, decision, reason, reportBy, proposal, author, createdAt }) => (
          <li key={id}>
            <strong>{RIDDOR_DECISIONS.find(({ value }) => value === decision)?.label}</strong>
            {reportBy && `, report by ${formatIsoAsUkDate(reportBy)}`}
            <Signed author={author} at={createdAt} />
            {reason && <p className={css.words}>{reason}</p>}
            <Text size="sm">
              Proposal then: {OUTCOMES[proposal.outcome]}
              {proposal.duties.map((duty) => `; ${duty.reason} (regulation ${duty.regulation})`).join('')}
            </Text>
          </li>
        ))}
      </ol>
      <ul className={css.list}>
        {sent.toReversed().map(({ id, reference, sentOn, reportBy, reason, author, createdAt }) => {
          const late = countDaysLate({ reportBy, hseSentOn: sentOn }, today)
          return (
            <li key={id}>
              <strong>
                {reason ? 'Correction: reported' : 'Reported'} to HSE on {formatIsoAsUkDate(sentOn)}, reference{' '}
                {reference}
              </strong>
              {late > 0 && `, ${late === 1 ? '1 day' : `${late} days`} late`}
              <Signed author={author} at={createdAt} />
              {reason && <p className={css.words}>{reason}</p>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const Signed = ({ author, at }: { readonly author: string | null; readonly at: string }) => (
  <Text size="sm" c="dimmed">
    <PersonName username={author} />, <DateTimeText at={at} />
  </Text>
)
