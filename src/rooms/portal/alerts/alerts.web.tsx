import '@mantine/core/styles/Table.layer.css'
import { Anchor, Button, Checkbox, Table, Text } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Collection, call } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { useSave } from '#web/api/resources.ts'
import { useOnItsWay } from '#web/shell/pages/facts.ts'
import { Page } from '#web/ui/page.tsx'
import { say } from '#web/ui/say.ts'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { ALERT_TEST, ALERTS, alertRule } from './alert-rule.ts'

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

/** Who in the company is told of what, and by what, unless they say otherwise themselves; and whether its e-mails arrive. */
export default function Alerts() {
  const me = useMe()
  const queries = useQueryClient()
  const save = useSave(alertRule)
  const all = useQuery({
    queryKey: [ALERTS],
    queryFn: ({ signal }) => call<Collection<Alert>>('GET', ALERTS, undefined, { signal }),
  })
  const set = (one: Alert, change: Partial<Pick<Alert, 'bell' | 'daily'>>) => {
    const values = { kind: one.kind, bell: one.bell, daily: one.daily, ...change }
    save.mutate(one.rule === null ? { values } : { id: one.rule, values: { bell: values.bell, daily: values.daily } }, {
      onSuccess: () => say.saved(one.label),
      onError: (e) => say.failed(e, () => set(one, change)),
      onSettled: () => void queries.invalidateQueries({ queryKey: [ALERTS] }),
    })
  }
  const rows = all.data?.['hydra:member'] ?? []
  return (
    <Page
      title="Alerts"
      about="What your people are told of, unless they say otherwise on their own page. The e-mail comes each morning, if something is unread."
      actions={<Test address={me.email ?? ''} />}
    >
      {all.isPending && <LoadingRows rows={4} />}
      {all.isError && <ErrorState error={all.error} onRetry={() => void all.refetch()} />}
      {all.data && rows.length === 0 && <EmptyState title="There is nothing to be told of yet" />}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={320}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">What</Table.Th>
                {COLUMNS.map(({ name, label }) => (
                  <Table.Th key={name} scope="col">
                    {label}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.kind}>
                  <Table.Th scope="row" fw={400}>
                    {row.label}
                    <Text size="sm" c="dimmed">
                      {`${row.who.join(', ')}: ${row.people === 1 ? '1 person' : `${row.people} people`}`}
                    </Text>
                  </Table.Th>
                  {COLUMNS.map(({ name, label }) => (
                    <Table.Td key={name}>
                      <Checkbox
                        aria-label={`${label}: ${row.label}`}
                        checked={row[name]}
                        disabled={save.isPending}
                        onChange={(e) => set(row, { [name]: e.currentTarget.checked })}
                      />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {!all.isPending && (
        <Anchor component={Link} to="/profile/notices" size="sm" w="fit-content">
          What I am told of myself
        </Anchor>
      )}
    </Page>
  )
}

function Test({ address }: { readonly address: string }) {
  const tell = useOnItsWay()
  const send = useMutation({
    mutationFn: () => call<void>('POST', ALERT_TEST, {}),
    onSuccess: () => tell('A letter to try it', address),
    onError: (e) => say.failed(e, () => send.mutate()),
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
