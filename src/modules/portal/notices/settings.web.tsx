import { Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Collection, callApi } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { queryClient } from '#web/api/query.ts'
import { Page } from '#web/ui/page.tsx'
import { LoadingRows, SectionError } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { NOTIFICATION_SETTINGS_PATH } from './notice.ts'
import { CheckboxTable } from './tick-table.web.tsx'

interface Setting {
  readonly '@id': string
  readonly kind: string
  readonly label: string
  readonly bell: boolean
  readonly mail: boolean
}

const KEY = [NOTIFICATION_SETTINGS_PATH]
const COLUMNS = [
  { name: 'bell', label: 'Bell' },
  { name: 'mail', label: 'Daily e-mail' },
] as const

/** Page with the user's notification settings. Each change to a checkbox is saved immediately. */
export default function NotificationSettingsPage() {
  const me = useMe()
  const settings = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi<Collection<Setting>>('GET', NOTIFICATION_SETTINGS_PATH, undefined, { signal }),
  })
  const change = useMutation({
    mutationFn: ({ '@id': at, bell, mail }: Setting) => callApi('PUT', at, { bell, mail }),
    onMutate: (next) =>
      queryClient.setQueryData<Collection<Setting>>(
        KEY,
        (known) =>
          known && {
            ...known,
            'hydra:member': known['hydra:member'].map((one) => (one.kind === next.kind ? next : one)),
          },
      ),
    onError: (e) => toast.failed(e),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  })
  const rows = settings.data?.['hydra:member'] ?? []
  return (
    <Page
      title="My notifications"
      back={{ label: 'Notifications', to: '/notices' }}
      about="The bell counts notifications immediately. The daily e-mail is sent each morning if there are unread notifications."
    >
      {settings.isPending && <LoadingRows rows={4} height={44} />}
      {settings.error && <SectionError error={settings.error} onRetry={() => void settings.refetch()} />}
      {rows.length > 0 && (
        <CheckboxTable
          rows={rows}
          columns={COLUMNS}
          disabled={me.isImpersonating}
          onTick={(row, name, ticked) => change.mutate({ ...row, [name]: ticked })}
        />
      )}
      {me.isImpersonating && <Text c="dimmed">Only {me.name} can change these settings.</Text>}
    </Page>
  )
}
