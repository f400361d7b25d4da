import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { SimultaneousReveal } from '#web/ui/reveal-together.tsx'
import { EmptyState, LoadingRows } from '#web/ui/states.tsx'
import { MAIL_MERGE_FIELDS } from '../merge-fields/merge.ts'
import { SystemEmails } from './system-emails.web.tsx'
import { emailTemplate } from './template.ts'

const LIST = listUrlSchema({ retired: retiredFilterSchema, kind: z.string().default('') })

export default function MailTemplatesPage() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<RecordOf<typeof emailTemplate> | 'new'>()
  const close = () => setOpen(undefined)
  const mayWrite = hasRole(actor, emailTemplate.allow.update ?? 'nobody')
  return (
    <Page title="E-mail templates" actions={mayWrite && <Button onClick={() => setOpen('new')}>New template</Button>}>
      <SimultaneousReveal waiting={<LoadingRows rows={8} />}>
        <DataList
          resource={emailTemplate}
          label="E-mail templates"
          state={state}
          onState={set}
          filters={['retired', 'kind']}
          columns={['name', 'subject', 'kind', 'updatedAt']}
          empty={<EmptyState title="No templates yet">Create a template for e-mails that you send often.</EmptyState>}
          {...(mayWrite ? { onOpen: setOpen } : {})}
        />
        {mayWrite && <SystemEmails />}
      </SimultaneousReveal>
      <Dialog opened={open !== undefined} onClose={close} title="E-mail template" size={720}>
        <Text size="sm" c="dimmed">
          Fields for leads: {Object.keys(MAIL_MERGE_FIELDS.lead).join(', ')}. For clients:{' '}
          {Object.keys(MAIL_MERGE_FIELDS.client).join(', ')}. Write fields as {'{{first name}}'}, or{' '}
          {'{{first name|there}}'} to set a default value.
        </Text>
        <ResourceForm
          resource={emailTemplate}
          wide={['subject', 'body']}
          {...(open && open !== 'new' ? { record: open } : {})}
          onCancel={close}
          onSaved={close}
        />
      </Dialog>
    </Page>
  )
}
