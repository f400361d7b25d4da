import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import type { Collection } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { SimultaneousReveal } from '#web/ui/reveal-together.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import table from '#web/ui/table.module.css'
import { MAIL_MERGE_FIELDS } from '../merge-fields/merge.ts'
import { emailTemplate, SYSTEM_EMAILS_PATH } from './template.ts'

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

interface SystemEmailExample {
  readonly '@id': string
  readonly title: string
  readonly subject: string
  readonly body: string
}

/** Read-only list of the e-mails that the portal composes itself. Each opens an example. */
function SystemEmails() {
  const [shown, setShown] = useState<SystemEmailExample>()
  const [opened, setOpened] = useState(false)
  const all = useQuery({
    queryKey: [SYSTEM_EMAILS_PATH],
    ...urlQueryOptions<Collection<SystemEmailExample>>(SYSTEM_EMAILS_PATH),
  })
  return (
    <Stack component="section" gap="sm" aria-labelledby="system-emails">
      <Title order={2} size="h4" id="system-emails">
        E-mails the portal sends
      </Title>
      <Text size="sm" c="dimmed">
        The portal generates these e-mails, and they can’t be changed. The names and figures are examples.
      </Text>
      {all.isPending && <LoadingRows />}
      {all.isError && <ErrorState error={all.error} onRetry={() => void all.refetch()} />}
      {all.data && (
        <table className={table.table} aria-labelledby="system-emails">
          <thead>
            <tr>
              <th scope="col">E-mail</th>
              <th scope="col">Subject</th>
            </tr>
          </thead>
          <tbody>
            {all.data['hydra:member'].map((email) => (
              <tr key={email['@id']}>
                <td>
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    ta="start"
                    onClick={() => {
                      setShown(email)
                      setOpened(true)
                    }}
                  >
                    {email.title}
                  </Anchor>
                </td>
                <td>{email.subject}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Dialog opened={opened} onClose={() => setOpened(false)} title={shown?.title} size={720}>
        <Text fw={650}>{shown?.subject}</Text>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {shown?.body}
        </Text>
      </Dialog>
    </Stack>
  )
}
