import { Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Collection, call } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { queries } from '#web/api/query.ts'
import { Page } from '#web/ui/page.tsx'
import { LoadingRows, PartFailed } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { SETTINGS } from './notice.ts'
import { TickTable } from './tick-table.web.tsx'

interface Setting {
  readonly '@id': string
  readonly kind: string
  readonly label: string
  readonly bell: boolean
  readonly mail: boolean
}

const KEY = [SETTINGS]
const COLUMNS = [
  { name: 'bell', label: 'Bell' },
  { name: 'mail', label: 'Daily e-mail' },
] as const

/** Notification settings of the user. Each checkbox saves at once. */
export default function NoticeSettings() {
  const me = useMe()
  const settings = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call<Collection<Setting>>('GET', SETTINGS, undefined, { signal }),
  })
  const change = useMutation({
    mutationFn: ({ '@id': at, bell, mail }: Setting) => call('PUT', at, { bell, mail }),
    onMutate: (next) =>
      queries.setQueryData<Collection<Setting>>(
        KEY,
        (known) =>
          known && {
            ...known,
            'hydra:member': known['hydra:member'].map((one) => (one.kind === next.kind ? next : one)),
          },
      ),
    onError: (e) => toast.failed(e),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
  const rows = settings.data?.['hydra:member'] ?? []
  return (
    <Page
      title="My notifications"
      back={{ label: 'Notifications', to: '/notices' }}
      about="The bell counts a notification as soon as it happens. The e-mail is sent each morning if something is unread."
    >
      {settings.isPending && <LoadingRows rows={4} height={44} />}
      {settings.error && <PartFailed error={settings.error} onRetry={() => void settings.refetch()} />}
      {rows.length > 0 && (
        <TickTable
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
