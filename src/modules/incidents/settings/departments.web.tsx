import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { incidentDepartment } from './incident-department.ts'

const LIST = listUrlSchema({ retired: z.string().default('false') })
type Department = RecordOf<typeof incidentDepartment>

/** Departments in which incidents happen, and those that support others. */
export default function IncidentDepartments() {
  const actor = useActor()
  const [state, setState] = useUrlState(LIST)
  const [open, setOpen] = useState<Department | 'new'>()
  const close = () => setOpen(undefined)
  return (
    <Page
      title="Departments"
      actions={
        can(actor, 'create', incidentDepartment) && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
            Add department
          </Button>
        )
      }
    >
      <DataList
        resource={incidentDepartment}
        label="Departments"
        state={state}
        onState={setState}
        filters={['retired']}
        columns={['name', 'support']}
        onOpen={setOpen}
        empty={<EmptyState title="No departments yet">Add the departments of your company.</EmptyState>}
      />
      <Dialog opened={open !== undefined} onClose={close} title={open === 'new' ? 'Add department' : 'Edit department'}>
        <ResourceForm
          resource={incidentDepartment}
          fields={['name', 'support', 'retired']}
          {...(open && open !== 'new' ? { record: open } : {})}
          onCancel={close}
          onSaved={close}
        />
      </Dialog>
    </Page>
  )
}
