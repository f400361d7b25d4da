import { Anchor, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { can, canRunActionInState } from '#kernel/can.ts'
import { type CorrectiveAction, correctiveAction, isOpenActionState } from '#modules/actions/corrective-action.ts'
import { CorrectiveActionForm } from '#modules/actions/form.web.tsx'
import { correctiveActionPath } from '#modules/actions/nav.ts'
import { CorrectiveActionStatus } from '#modules/actions/status-chip.web.tsx'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { incidentReport } from '../reports/incident-report.ts'
import css from '../reports/incidents.module.css'
import { AddRowButton, RowsTable } from '../reports/rows-table.web.tsx'
import { type IncidentRecord, useRefetchIncident } from '../reports/save-rows.web.ts'

/** Corrective actions that were raised from an incident. */
export function RaisedActions({ report }: { readonly report: IncidentRecord }) {
  const actor = useActor()
  const queries = useQueryClient()
  const refetch = useRefetchIncident(report)
  const [editing, setEditing] = useState<CorrectiveAction | 'new'>()
  const [dialog, ask] = useConfirm()
  const list = useList(correctiveAction, { source: report['@id'], retired: false, itemsPerPage: 100 })
  const mayRaise = canRunActionInState(actor, 'raiseAction', incidentReport, report.state) && !report.retired
  const mayEdit = (action: CorrectiveAction) =>
    can(actor, 'update', correctiveAction) && isOpenActionState(action.state)
  const close = () => setEditing(undefined)
  const reload = () => Promise.all([queries.invalidateQueries({ queryKey: [correctiveAction.url] }), refetch()])
  const remove = async (action: CorrectiveAction) => {
    const yes = await ask({
      title: `Deleting ${action.number}`,
      question: 'Are you sure you wish to delete this item?',
      action: 'Delete',
      meaning: 'stop',
    })
    if (!yes) return
    await callApi('PUT', action['@id'], { retired: true }).catch((e: unknown) => toast.failed(e))
    await reload()
  }
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LoadingRows rows={2} />
  return (
    <>
      {report.state === 'draft' && <p>Report the incident first. You can then raise corrective actions.</p>}
      <RowsTable
        label="Corrective actions"
        heads={['Status', 'Deadline', 'Manager Responsible', 'Actions']}
        empty="No Items"
        actions={mayRaise && <AddRowButton onAdd={() => setEditing('new')} />}
        rows={list.data['hydra:member'].map((action) => ({
          key: action.id,
          words: action.description,
          cells: [
            <CorrectiveActionStatus key="status" action={action} />,
            formatIsoAsUkDate(action.deadline) || 'None',
            <div key="manager">
              {action.managerName}
              <br />
              <Anchor component={Link} to={correctiveActionPath(action.id)} size="sm">
                {`${action.number} ${action.description}`}
              </Anchor>
            </div>,
            mayEdit(action) && (
              <div key="actions" className={css.actions}>
                <Button
                  variant="default"
                  size="compact-md"
                  aria-label={`Edit ${action.number}`}
                  onClick={() => setEditing(action)}
                >
                  Edit
                </Button>
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-md"
                  aria-label={`Delete ${action.number}`}
                  onClick={() => void remove(action)}
                >
                  Delete
                </Button>
              </div>
            ),
          ],
        }))}
      />
      <Dialog
        opened={editing !== undefined}
        onClose={close}
        title={editing === 'new' ? 'New corrective action' : 'Edit corrective action'}
        size="46rem"
      >
        <CorrectiveActionForm
          {...(editing && editing !== 'new' ? { action: editing } : { raiseAt: `${report['@id']}/raise-action` })}
          onClose={close}
          onSaved={() => {
            close()
            void reload()
          }}
        />
      </Dialog>
      {dialog}
    </>
  )
}
