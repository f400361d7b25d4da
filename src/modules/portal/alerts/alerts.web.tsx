import { Anchor, Button, Text } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Collection, callApi } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { useSaveRecord } from '#web/api/resources.ts'
import { useEmailSentToast } from '#web/shell/pages/facts.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { CheckboxTable } from '../notices/tick-table.web.tsx'
import { ALERT_TEST_PATH, ALERTS_PATH, alertRule } from './alert-rule.ts'

interface Alert {
  readonly '@id': string
  readonly rule: number | null
  readonly kind: string
  readonly label: string
  readonly who: readonly string[]
  readonly people: number
  readonly bell: boolean
  readonly daily: boolean
}

const COLUMNS = [
  { name: 'bell', label: 'Bell' },
  { name: 'daily', label: 'Daily e-mail' },
] as const

/** Page with the company's default channels for each type of notification, and a button for a test e-mail. */
export default function AlertsPage() {
  const me = useMe()
  const queries = useQueryClient()
  const save = useSaveRecord(alertRule)
  const all = useQuery({
    queryKey: [ALERTS_PATH],
    queryFn: ({ signal }) => callApi<Collection<Alert>>('GET', ALERTS_PATH, undefined, { signal }),
  })
  const set = (one: Alert, change: Partial<Pick<Alert, 'bell' | 'daily'>>) => {
    const values = { kind: one.kind, bell: one.bell, daily: one.daily, ...change }
    save.mutate(one.rule === null ? { values } : { id: one.rule, values: { bell: values.bell, daily: values.daily } }, {
      onSuccess: () => toast.saved(one.label),
      onError: (e) => toast.failed(e, () => set(one, change)),
      onSettled: () => void queries.invalidateQueries({ queryKey: [ALERTS_PATH] }),
    })
  }
  const rows = all.data?.['hydra:member'] ?? []
  return (
    <Page
      title="Alerts"
      about="Default notification settings for your users. Each user can change their own settings. The daily e-mail is sent each morning if there are unread notifications."
      actions={<Test address={me.email ?? ''} />}
    >
      {all.isPending && <LoadingRows rows={4} />}
      {all.isError && <ErrorState error={all.error} onRetry={() => void all.refetch()} />}
      {all.data && rows.length === 0 && <EmptyState title="No notification types yet" />}
      {rows.length > 0 && (
        <CheckboxTable
          rows={rows}
          columns={COLUMNS}
          disabled={save.isPending}
          onTick={(row, name, ticked) => set(row, { [name]: ticked })}
          below={({ who, people }) => (
            <Text size="sm" c="dimmed">
              {`${who.join(', ')}: ${people === 1 ? '1 user' : `${people} users`}`}
            </Text>
          )}
        />
      )}
      {!all.isPending && (
        <Anchor component={Link} to="/profile/notices" size="sm" w="fit-content">
          My notifications
        </Anchor>
      )}
    </Page>
  )
}

function Test({ address }: { readonly address: string }) {
  const tell = useEmailSentToast()
  const send = useMutation({
    mutationFn: () => callApi<void>('POST', ALERT_TEST_PATH, {}),
    onSuccess: () => tell('A test e-mail', address),
    onError: (e) => toast.failed(e, () => send.mutate()),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconMailForward size={16} aria-hidden />}
      loading={send.isPending}
      onClick={() => send.mutate()}
    >
      Send me a test e-mail
    </Button>
  )
}
