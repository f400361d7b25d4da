import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { can, canRunActionInState } from '#kernel/can.ts'
import { longText } from '#kernel/fields.ts'
import type { ActionNameOf, Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { INCIDENT_PATHS } from '../reports/paths.ts'
import { type IncidentRecord, useRefetchIncident } from '../reports/save-rows.web.ts'
import { INCIDENT_BOOK_ROLES, isReportedDuringVisit } from '../rights.ts'

type Step = ActionNameOf<typeof incidentReport>
const STEPS = ['investigate', 'close', 'reopen', 'amend'] as const satisfies readonly Step[]
type AskedStep = Exclude<(typeof STEPS)[number], 'investigate'>
const DONE: Readonly<Record<AskedStep, string>> = { close: 'closed', reopen: 'reopened', amend: 'amended' }

/** Buttons for the next steps of an incident. */
export function IncidentSteps({ report }: { readonly report: IncidentRecord }) {
  const actor = useActor()
  const refetch = useRefetchIncident(report)
  const [asking, setAsking] = useState<AskedStep | 'delete'>()
  const isAuthor = hasRole(actor, INCIDENT_BOOK_ROLES) && can(actor, 'update', incidentReport)
  const mayChange = !isReportedDuringVisit(actor, report)
  const isOwnDraft = report.state === 'draft' && report.author === actor.username
  const close = () => setAsking(undefined)
  const done = () => {
    close()
    void refetch()
  }
  const run = async (send: () => Promise<unknown>) => {
    await send().catch((e: unknown) => toast.failed(e))
    await refetch()
  }
  if (report.retired)
    return (
      isAuthor &&
      mayChange && (
        <Button onClick={() => void run(() => callApi('PUT', report['@id'], { retired: false }))}>Restore</Button>
      )
    )
  const steps = STEPS.filter((step) => canRunActionInState(actor, step, incidentReport, report.state))
  return (
    <>
      {mayChange && (isAuthor || isOwnDraft) && report.state !== 'closed' && (
        <Button component={Link} to={`${INCIDENT_PATHS.update}/${report.id}`}>
          Edit
        </Button>
      )}
      {steps.map((step) => (
        <Button
          key={step}
          variant="default"
          onClick={() =>
            step === 'investigate'
              ? void run(() => callApi('POST', `${report['@id']}/investigate`, {}))
              : setAsking(step)
          }
        >
          {incidentReport.actions?.[step].title}
        </Button>
      ))}
      {isAuthor && report.state !== 'draft' && (
        <Button component={Link} to={`${INCIDENT_PATHS.create}?copy=${report.id}`} variant="default">
          Copy
        </Button>
      )}
      {mayChange && (isAuthor || isOwnDraft) && (
        <Button variant="subtle" color="red" onClick={() => setAsking('delete')}>
          Delete
        </Button>
      )}
      <Dialog
        opened={asking !== undefined}
        onClose={close}
        title={asking === 'delete' ? 'Delete incident' : asking ? incidentReport.actions?.[asking].title : ''}
        size="36rem"
      >
        {asking === 'delete' && <DeleteForm report={report} onClose={close} onDone={done} />}
        {asking && asking !== 'delete' && <StepForm report={report} step={asking} onClose={close} onDone={done} />}
      </Dialog>
    </>
  )
}

interface FormProps {
  readonly report: IncidentRecord
  readonly onClose: () => void
  readonly onDone: () => void
}

function StepForm({ report, step, onClose, onDone }: FormProps & { readonly step: AskedStep }) {
  const spec = incidentReport.actions?.[step]
  const asked: Resource = { ...incidentReport, url: `${report['@id']}/${spec?.path}`, fields: spec?.input ?? {} }
  const names = Object.keys(asked.fields)
  return (
    <ResourceForm
      resource={asked}
      fields={names}
      wide={names}
      action={spec?.title ?? 'Save'}
      decided
      done={() => `${report.number} ${DONE[step]}`}
      onCancel={onClose}
      onSaved={onDone}
    />
  )
}

const DELETION: Resource = {
  ...incidentReport,
  fields: {
    retireReason: longText({ required: 'Please give a reason', max: 1000, label: 'Reason for deletion' }),
  },
} as Resource

function DeleteForm({ report, onClose, onDone }: FormProps) {
  return (
    <>
      <Text mb="md">
        The incident leaves the accident book. It stays stored with its reason, and can be restored. Its open corrective
        actions are retired with it.
      </Text>
      <ResourceForm
        resource={DELETION}
        record={{ ...report, retireReason: '' } as never}
        fields={['retireReason']}
        wide={['retireReason']}
        extra={{ retired: true }}
        action="Delete"
        decided
        done={() => `${report.number || 'Draft'} deleted`}
        onCancel={onClose}
        onSaved={onDone}
      />
    </>
  )
}
