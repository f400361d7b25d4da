import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Collection } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import table from '#web/ui/table.module.css'
import { SYSTEM_EMAILS_PATH } from './template.ts'

interface SystemEmailExample {
  readonly '@id': string
  readonly title: string
  readonly subject: string
  readonly body: string
}

/** Read-only list of the e-mails that the portal writes itself. Each opens an example. */
export function SystemEmails() {
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
