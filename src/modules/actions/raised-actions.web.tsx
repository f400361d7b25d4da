import { Anchor, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { can } from '#kernel/can.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { AddRowButton, RowsTable } from '#web/lists/rows-table.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import css from './actions.module.css'
import { type CorrectiveAction, correctiveAction, isOpenActionState } from './corrective-action.ts'
import { CorrectiveActionForm, type RaiseInput } from './form.web.tsx'
import { correctiveActionPath } from './nav.ts'
import { CorrectiveActionStatus } from './status-chip.web.tsx'

/** Part of a source from which an action can be raised, such as one defect of an inspection. */
interface SourcePart {
  /** Name of the part in the action (`sourcePart`). */
  readonly part: string
  readonly label: string
  /** Undefined if no action can be raised. */
  readonly raise: RaiseInput | undefined
}

type SourceFilter = { readonly source: string } | { readonly sourceTitle: string }

interface Props {
  /** Filter that finds the source's actions in the register. */
  readonly of: SourceFilter
  /** Undefined if no action can be raised from the whole source. */
  readonly raise?: RaiseInput | undefined
  readonly parts?: readonly SourcePart[]
  /** Heading of the parts. */
  readonly partsName?: string
  readonly onSaved?: () => Promise<unknown>
}

/** Returns the corrective actions that were raised from a source and are not deleted. */
export const useRaisedActions = (of: SourceFilter, enabled = true) =>
  useList(correctiveAction, { ...of, retired: false, itemsPerPage: 100 }, { enabled })

/** Corrective actions that were raised from a source, and the parts of the source from which more can be raised. */
export function RaisedActions({ of, raise, parts = [], partsName = '', onSaved }: Props) {
  const actor = useActor()
  const queries = useQueryClient()
  const [editing, setEditing] = useState<{ readonly action: CorrectiveAction } | { readonly raise: RaiseInput }>()
  const [dialog, ask] = useConfirm()
  const list = useRaisedActions(of)
  const mayEdit = (action: CorrectiveAction) =>
    can(actor, 'update', correctiveAction) && isOpenActionState(action.state)
  const close = () => setEditing(undefined)
  const reload = () => Promise.all([queries.invalidateQueries({ queryKey: [correctiveAction.url] }), onSaved?.()])
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
  const actions = list.data['hydra:member']
  return (
    <>
      {parts.length > 0 && (
        <RowsTable
          label={partsName}
          heads={[partsName, 'Corrective action']}
          empty="No Items"
          rows={parts.map(({ part, label, raise: partRaise }) => ({
            key: part,
            words: label,
            cells: [
              label,
              <div key="raised" className={css.buttons}>
                {actions
                  .filter(({ sourcePart }) => sourcePart === part)
                  .map((action) => (
                    <span key={action.id} className={css.buttons}>
                      <Anchor component={Link} to={correctiveActionPath(action.id)} size="sm">
                        {`${action.number} raised`}
                      </Anchor>
                      <CorrectiveActionStatus action={action} />
                    </span>
                  ))}
                {partRaise && (
                  <Button
                    variant="default"
                    size="compact-md"
                    aria-label={`Raise a corrective action: ${label}`}
                    onClick={() => setEditing({ raise: partRaise })}
                  >
                    Raise a corrective action
                  </Button>
                )}
              </div>,
            ],
          }))}
        />
      )}
      <RowsTable
        label="Corrective actions"
        heads={['Status', 'Deadline', 'Manager Responsible', 'Actions']}
        empty="No Items"
        actions={raise && <AddRowButton onAdd={() => setEditing({ raise })} />}
        rows={actions.map((action) => ({
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
              <div key="actions" className={css.buttons}>
                <Button
                  variant="default"
                  size="compact-md"
                  aria-label={`Edit ${action.number}`}
                  onClick={() => setEditing({ action })}
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
        title={editing && 'action' in editing ? 'Edit corrective action' : 'New corrective action'}
        size="46rem"
      >
        {editing && (
          <CorrectiveActionForm
            {...editing}
            onClose={close}
            onSaved={() => {
              close()
              void reload()
            }}
          />
        )}
      </Dialog>
      {dialog}
    </>
  )
}
