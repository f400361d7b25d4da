import { canRunActionInState } from '#kernel/can.ts'
import { RaisedActions } from '#modules/actions/raised-actions.web.tsx'
import { useActor } from '#web/api/me.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { type IncidentRecord, useRefetchIncident } from '../reports/save-rows.web.ts'

/** Corrective actions of an incident. None can be raised from a draft. */
export function IncidentActions({ report }: { readonly report: IncidentRecord }) {
  const actor = useActor()
  const refetch = useRefetchIncident(report)
  const mayRaise = canRunActionInState(actor, 'raiseAction', incidentReport, report.state) && !report.retired
  return (
    <>
      {report.state === 'draft' && <p>Report the incident first. You can then raise corrective actions.</p>}
      <RaisedActions
        of={{ source: report['@id'] }}
        raise={mayRaise ? { at: `${report['@id']}/raise-action` } : undefined}
        onSaved={refetch}
      />
    </>
  )
}
