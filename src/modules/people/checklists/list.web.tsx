import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
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
import { StatusChip } from '#web/ui/status-chip.tsx'
import { checklist } from './checklist.ts'
import { CHECKLIST_PATHS, checklistPath } from './nav.ts'

const value = z.string().default('')
const LIST = listUrlSchema({
  employee: value,
  purpose: value,
  retired: z.enum(['', 'true', 'false']).default('false'),
})

type Checklist = RecordOf<typeof checklist>

export function ChecklistProgress({ tasks, done, overdue, retired }: Checklist) {
  if (retired) return <StatusChip meaning="plain">Ended</StatusChip>
  if (done === tasks) return <StatusChip meaning="safe">{`${done} of ${tasks} done`}</StatusChip>
  return (
    <StatusChip meaning={overdue ? 'stop' : 'info'}>
      {`${done} of ${tasks} done${overdue ? `, ${overdue} overdue` : ''}`}
    </StatusChip>
  )
}

/** Checklists of starters and leavers: all for human resources, otherwise those with a task of the reader's or their team's. */
export default function Checklists() {
  const actor = useActor()
  const navigate = useNavigate()
  const [state, set] = useUrlState(LIST)
  const [isStarting, setStarting] = useState(false)
  const close = () => setStarting(false)
  const mayStart = can(actor, 'create', checklist)
  const actions = mayStart && (
    <>
      <Button variant="default" onClick={() => setStarting(true)}>
        Start a checklist
      </Button>
      <Button component={Link} to={CHECKLIST_PATHS.addStarter} leftSection={<IconPlus size={16} aria-hidden />}>
        Add starter
      </Button>
    </>
  )
  return (
    <Page title="Checklists" actions={actions}>
      <DataList
        resource={checklist}
        label="Checklists"
        state={state}
        onState={set}
        search={false}
        filters={['purpose', 'employee', 'retired']}
        columns={[
          { key: 'employee', link: true, render: ({ employee }: Checklist) => employee.name },
          { key: 'name', title: 'Checklist' },
          { key: 'purpose', wide: true },
          {
            key: 'done',
            title: 'Progress',
            fields: ['done;tasks;overdue;retired'],
            render: (one: Checklist) => <ChecklistProgress {...one} />,
          },
        ]}
        href={(one: Checklist) => checklistPath(one.id)}
        rowMuted={(one) => one.retired}
        nothing={
          <EmptyState title="No checklists" action={actions}>
            {mayStart
              ? 'Add a starter with a checklist, or start one for an employee.'
              : 'Checklists with tasks for you or your team appear here.'}
          </EmptyState>
        }
      />
      <Dialog opened={isStarting} onClose={close} title="Start a checklist">
        <ResourceForm
          resource={checklist}
          fields={['employee', 'template']}
          action="Start checklist"
          onCancel={close}
          onSaved={({ id }) => void navigate(checklistPath(id))}
        />
      </Dialog>
    </Page>
  )
}
