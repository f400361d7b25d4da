import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { ConfidentialReadsOfRecord } from '#modules/identity/confidential-reads/of-record.web.tsx'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import { usePageTitle } from '#web/shell/pages/title.ts'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { PeoplePanel } from '../people/people-panel.web.tsx'
import { IncidentPrints } from '../printing/prints.web.tsx'
import { incidentReport } from '../reports/incident-report.ts'
import { INCIDENT_PATHS } from '../reports/paths.ts'
import type { IncidentRecord } from '../reports/save-rows.web.ts'
import { IncidentStatus } from '../reports/status-chip.web.tsx'
import { RiddorPanel } from '../riddor/riddor-panel.web.tsx'
import { INCIDENT_BOOK_ROLES } from '../rights.ts'
import { IncidentFiles } from './files.web.tsx'
import { IncidentActions } from './incident-actions.web.tsx'
import { Occurrences } from './occurrences.web.tsx'
import { RiskLinks } from './risk-links.web.tsx'
import { SimilarReports } from './similar.web.tsx'
import { IncidentSteps } from './steps.web.tsx'
import { Amendments, IncidentFacts, IncidentHistory, InvestigationFacts, PlaceFacts } from './view-parts.web.tsx'

/** Page of one incident: its facts, people, actions and next steps. */
export default function ViewIncident() {
  const { slug } = useParams()
  const found = useApiRecord(incidentReport, slug)
  const report = found.data
  usePageTitle(report && (report.number || 'Draft entry'))
  const back = { label: 'Accident book', to: getListReturnPath(INCIDENT_PATHS.book) }
  if (report) return <Incident report={report} back={back} />
  return (
    <Page title="Incident" back={back}>
      {found.error ? <ErrorState error={found.error} onRetry={() => void found.refetch()} /> : <LoadingRows rows={8} />}
    </Page>
  )
}

interface Props {
  readonly report: IncidentRecord
  readonly back: { readonly label: string; readonly to: string }
}

function Incident({ report, back }: Props) {
  const actor = useActor()
  const isAuthor = hasRole(actor, INCIDENT_BOOK_ROLES)
  return (
    <Page
      title={report.number || 'Draft entry'}
      back={back}
      beside={
        <>
          <IncidentStatus report={report} />
          {report.nearMiss && <StatusChip hue="teal">Near miss</StatusChip>}
        </>
      }
      actions={<IncidentSteps report={report} />}
    >
      {!isAuthor && (
        <p className={layout.quiet}>
          You see your own report. Its investigation, RIDDOR and history are visible only to safety authors and
          administrators.
        </p>
      )}
      {isAuthor && <SimilarReports report={report} />}
      <div className={layout.columns}>
        <div className={layout.page}>
          <Section title="What happened">
            <IncidentFacts report={report} />
          </Section>
          <Section title="Where">
            <PlaceFacts report={report} />
          </Section>
          <Section title="People">
            <PeoplePanel report={report} readOnly />
          </Section>
          {isAuthor && (
            <>
              <RiddorPanel report={report} />
              <Section title="Dangerous occurrences">
                <Occurrences report={report} readOnly />
              </Section>
              <Section title="Risk assessments">
                <RiskLinks report={report} readOnly />
              </Section>
              <Section title="Corrective actions">
                <IncidentActions report={report} />
              </Section>
              <Section title="Investigation">
                <InvestigationFacts report={report} />
              </Section>
            </>
          )}
          <Section title="Photos and documents">
            <IncidentFiles report={report} readOnly />
          </Section>
          {report.state !== 'draft' && (
            <Section title="PDF">
              <IncidentPrints report={report} />
            </Section>
          )}
          <RecordPanels record={report} />
        </div>
        {isAuthor && (
          <div className={layout.page}>
            <Amendments report={report} />
            <Section title="History">
              <IncidentHistory report={report} />
            </Section>
            <ConfidentialReadsOfRecord record={report['@id']} />
          </div>
        )}
      </div>
    </Page>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={layout.card} aria-label={title}>
    <Title order={2}>{title}</Title>
    {children}
  </section>
)
