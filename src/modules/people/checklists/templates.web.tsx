import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { checklistTemplate } from './checklist.ts'
import { TasksInput } from './tasks-input.web.tsx'

const value = z.string().default('')
const LIST = listUrlSchema({ purpose: value, retired: z.enum(['', 'true', 'false']).default('false') })

type Template = RecordOf<typeof checklistTemplate>
const INPUTS = { tasks: TasksInput }

/** Templates of checklists. Changes apply to later checklists only. */
export default function ChecklistTemplates() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<Template | 'new'>()
  const close = () => setOpen(undefined)
  const add = can(actor, 'create', checklistTemplate) && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
      New template
    </Button>
  )
  return (
    <Page
      title="Checklist templates"
      about="A template is copied when a checklist starts: later changes don’t affect it. The template for leavers is used for everybody whose last day is entered."
      actions={add}
    >
      <DataList
        resource={checklistTemplate}
        label="Checklist templates"
        state={state}
        onState={set}
        search={false}
        filters={['purpose', 'retired']}
        columns={[{ key: 'name', title: 'Name', link: true }, 'purpose']}
        onOpen={setOpen}
        rowMuted={(one) => one.retired}
        nothing={
          <EmptyState title="No templates yet" action={add}>
            Add the tasks that every starter or leaver needs.
          </EmptyState>
        }
      />
      <Dialog opened={open !== undefined} onClose={close} title={open === 'new' ? 'New template' : 'Edit template'}>
        {open === 'new' ? (
          <ResourceForm
            resource={checklistTemplate}
            fields={['name', 'purpose', 'tasks']}
            inputs={INPUTS}
            wide={['tasks']}
            onCancel={close}
            onSaved={close}
          />
        ) : (
          open && <TemplateForm id={open.id} onClose={close} />
        )}
      </Dialog>
    </Page>
  )
}

function TemplateForm({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const template = useApiRecord(checklistTemplate, id)
  if (template.isError) return <ErrorState error={template.error} onRetry={() => void template.refetch()} />
  return template.data ? (
    <ResourceForm
      resource={checklistTemplate}
      record={template.data}
      inputs={INPUTS}
      wide={['tasks']}
      onCancel={onClose}
      onSaved={onClose}
    />
  ) : (
    <LoadingRows rows={6} />
  )
}
