import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { canRunActionInState } from '#kernel/can.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import page from '#web/ui/page.module.css'
import { LoadingRows, SectionError } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { incidentReport } from '../reports/incident-report.ts'
import { INCIDENT_BOOK_ROLES, INCIDENT_READER_ROLE, isReportedDuringVisit } from '../rights.ts'
import { Absences } from './absences.web.tsx'
import { RiddorClockText } from './clock-text.web.tsx'
import { DecisionForm, HseReportForm, RiddorHistory } from './decisions.web.tsx'
import { LaterFacts } from './later-facts.web.tsx'
import { GivenAnswers, Regulation, ScreeningQuestions } from './questions.web.tsx'
import type { RiddorScreeningResponse } from './response.ts'
import css from './riddor.module.css'
import { injuredPersonName, type Report, useScreening } from './screening-data.web.ts'
import { DUTY_NAMES, describeDuty, OUTCOMES } from './words.ts'

const F2508Sheet = lazyComponent(() => import('./f2508-sheet.web.tsx'))

/** Everything about an incident under RIDDOR: the proposal, the questions, the decision, the clock and the report. */
export function RiddorPanel({ report }: { readonly report: Report }) {
  const actor = useActor()
  if (report.state === 'draft') return null
  return (
    <section className={page.card} aria-label="RIDDOR">
      <div className={page.names}>
        <Title order={2}>RIDDOR</Title>
        <DecisionChip report={report} />
        <RiddorClockText report={report} />
      </div>
      {report.hseReference && (
        <Text>
          Reported to HSE on {formatIsoAsUkDate(report.hseSentOn)}, reference {report.hseReference}.
        </Text>
      )}
      {hasRole(actor, INCIDENT_READER_ROLE) ? (
        <ScreeningDetails report={report} />
      ) : (
        <Text c="dimmed">The facts are health details. Readers of health details see them and decide.</Text>
      )}
    </section>
  )
}

function DecisionChip({ report: { riddorDecision, riddorOutcome } }: { readonly report: Report }) {
  if (riddorDecision)
    return (
      <StatusChip meaning={riddorDecision === 'reportable' ? 'attention' : 'safe'}>
        {riddorDecision === 'reportable' ? 'Decided: reportable' : 'Decided: not reportable'}
      </StatusChip>
    )
  return <StatusChip meaning="attention">{`Not decided. ${OUTCOMES[riddorOutcome ?? 'open']}`}</StatusChip>
}

function ScreeningDetails({ report }: { readonly report: Report }) {
  const actor = useActor()
  const screening = useScreening(report)
  const [sheet, setSheet] = useState(false)
  if (screening.error) return <SectionError error={screening.error} onRetry={screening.refetch} />
  if (!screening.data) return <LoadingRows rows={4} />
  const may = (action: 'decideRiddor' | 'recordHseReport') =>
    !report.retired && canRunActionInState(actor, action, incidentReport, report.state)
  const readOnly =
    report.state === 'closed' ||
    report.retired ||
    isReportedDuringVisit(actor, report) ||
    !hasRole(actor, INCIDENT_BOOK_ROLES)
  const { questions, absences, retention } = screening.data
  return (
    <Stack gap="lg">
      <Proposal report={report} screening={screening.data} />
      {report.state === 'closed' && (
        <Text>
          This incident is closed. To enter a new fact, such as an absence, a death or a diagnosis, reopen it with a
          reason.
        </Text>
      )}
      {!readOnly && questions.length > 0 && (
        <section aria-label="Questions">
          <Title order={3}>Questions</Title>
          <ScreeningQuestions report={report} questions={questions} />
        </section>
      )}
      <GivenAnswers report={report} readOnly={readOnly} />
      <Absences report={report} counted={absences} readOnly={readOnly} />
      {!readOnly && <LaterFacts report={report} />}
      {may('decideRiddor') && (
        <Folded when={report.riddorDecision !== null} label="Decide again">
          <DecisionForm report={report} screening={screening.data} />
        </Folded>
      )}
      {may('recordHseReport') && report.riddorDecision === 'reportable' && (
        <Folded when={report.hseSentOn !== null} label="Correct the report to HSE">
          <HseReportForm report={report} />
        </Folded>
      )}
      <RiddorHistory screening={screening.data} />
      <section aria-label="Form F2508">
        <Title order={3}>Form F2508</Title>
        <Text>
          Copy these answers into{' '}
          <Anchor href="https://www.hse.gov.uk/riddor/report.htm" target="_blank" rel="noreferrer">
            HSE’s online form (opens in a new tab)
          </Anchor>
          . Each time they are shown, the reading is logged.
        </Text>
        {sheet ? (
          <F2508Sheet report={report} />
        ) : (
          <Button mt="xs" variant="default" onClick={() => setSheet(true)}>
            Show the copy sheet
          </Button>
        )}
      </section>
      <Text size="sm" c="dimmed">
        Stored at least until {formatIsoAsUkDate(retention.keepUntil)}: {retention.record} ({retention.reference}).
      </Text>
    </Stack>
  )
}

interface FoldedProps {
  readonly when: boolean
  readonly label: string
  readonly children: ReactNode
}

/** A form that is folded while nothing is left to do with it. */
const Folded = ({ when, label, children }: FoldedProps) =>
  when ? (
    <details className={css.folded}>
      <summary>{label}</summary>
      {children}
    </details>
  ) : (
    children
  )

interface ProposalProps {
  readonly report: Report
  readonly screening: RiddorScreeningResponse
}

/** The proposal in words: each duty with its reason, the organisation that reports, and the last day. */
function Proposal({ report, screening: { outcome, duties, reasons, recorded } }: ProposalProps) {
  const names = recorded.map((id) => injuredPersonName(report, id))
  return (
    <section aria-label="Proposal" aria-live="polite">
      <Title order={3}>Proposal: {OUTCOMES[outcome]}</Title>
      <ul className={css.list}>
        {duties.map((duty) => (
          <li key={`${duty.kind} ${duty.person} ${duty.regulation}`}>
            <strong>{DUTY_NAMES[duty.kind]}</strong>
            {duty.person !== undefined && `, ${injuredPersonName(report, duty.person)}`}{' '}
            <Regulation of={duty.regulation} />
            <p className={css.words}>{duty.reason}</p>
            <p className={css.words}>{describeDuty(duty)}</p>
          </li>
        ))}
        {reasons.map(({ text, regulation, person }) => (
          <li key={`${text} ${person}`}>
            <p className={css.words}>
              {person !== undefined && `${injuredPersonName(report, person)}: `}
              {text} {regulation && <Regulation of={regulation} />}
            </p>
          </li>
        ))}
      </ul>
      {names.length > 0 && (
        <Text>
          Recorded, as the incapacity exceeds three days: {names.join(', ')} <Regulation of="12(1)(b)" />
        </Text>
      )}
      {outcome !== 'otherLaw' && <Text c="dimmed">The portal proposes. A person decides.</Text>}
    </section>
  )
}
