import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { HR_PRIVATE_ROLE } from '../rights.ts'
import { FitNotes } from '../sickness/fit-notes.web.tsx'
import { sicknessAbsence } from '../sickness/sickness.ts'

const LIST = listUrlSchema({})
/** Fields of an absence that is reported by the employee, manager or approver. */
const REPORTED_FIELDS = ['employee', 'firstDay', 'lastDay'] as const
type Row = RecordOf<typeof sicknessAbsence>

/** Sickness of the reader's people. Reasons are shown only in the single record, to those who may read them. */
export function SicknessList() {
  const actor = useActor()
  const [state, setState] = useState(() => LIST.parse({}))
  const [open, setOpen] = useState<Row | 'new'>()
  const close = () => setOpen(undefined)
  const isEditor = can(actor, 'update', sicknessAbsence)
  return (
    <div>
      <h2>Sickness</h2>
      <DataList
        resource={sicknessAbsence}
        label="Sickness absences"
        state={state}
        onState={(change: Partial<typeof state>) => setState((now) => ({ ...now, ...change }))}
        search={false}
        params={{ retired: 'false' }}
        actions={
          can(actor, 'create', sicknessAbsence) && (
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
              Record sickness
            </Button>
          )
        }
        columns={[
          { key: 'employee', link: true, render: ({ employee }: Row) => employee.name },
          { key: 'firstDay', render: ({ firstDay }: Row) => formatIsoAsUkDate(firstDay) },
          { key: 'lastDay', render: ({ lastDay }: Row) => (lastDay ? formatIsoAsUkDate(lastDay) : 'Still absent') },
          { key: 'days', align: 'right' },
          {
            key: 'fitNoteDue',
            render: ({ fitNoteDue }: Row) => fitNoteDue && <StatusChip meaning="attention">Fit note due</StatusChip>,
          },
        ]}
        {...(isEditor ? { onOpen: setOpen } : {})}
        empty={<EmptyState title="No sickness yet">Record the first day of an absence when it is reported.</EmptyState>}
      />
      <Dialog opened={open !== undefined} onClose={close} title={open === 'new' ? 'Record sickness' : 'Sickness'}>
        {open === 'new' ? (
          <ResourceForm
            resource={sicknessAbsence}
            {...(isEditor ? {} : { fields: REPORTED_FIELDS })}
            onCancel={close}
            onSaved={close}
          />
        ) : (
          open && <SicknessForm id={open.id} onClose={close} />
        )}
      </Dialog>
    </div>
  )
}

/** Form of a stored absence. Confidential details are only in the single record, which is loaded when it is opened. */
function SicknessForm({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const actor = useActor()
  const absence = useApiRecord(sicknessAbsence, id)
  if (absence.isError) return <ErrorState error={absence.error} onRetry={() => void absence.refetch()} />
  return absence.data ? (
    <>
      <ResourceForm resource={sicknessAbsence} record={absence.data} onCancel={onClose} onSaved={onClose} />
      {hasRole(actor, HR_PRIVATE_ROLE) && <FitNotes absence={absence.data['@id']} />}
    </>
  ) : (
    <LoadingRows rows={5} />
  )
}
