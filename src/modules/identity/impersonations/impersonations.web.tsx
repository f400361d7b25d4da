import '@mantine/core/styles/Table.layer.css'
import { Pagination, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useSearchParams } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { useMe } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { SectionError } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { impersonationPeriod } from './impersonation.ts'

const PER_PAGE = 30

/** Log of impersonations of the client's users: provider user, impersonated user, reason, start and end. */
export default function ImpersonationLogPage() {
  const me = useMe()
  const [query, setQuery] = useSearchParams()
  const page = Math.max(1, Number(query.get('page')) || 1)
  const list = useList(impersonationPeriod, { page, itemsPerPage: PER_PAGE })
  const rows = list.data?.['hydra:member'] ?? []
  const pages = Math.ceil((list.data?.['hydra:totalItems'] ?? 0) / PER_PAGE)
  return (
    <Stack maw={1280}>
      <PageTitle>Impersonation log</PageTitle>
      <Text maw="70ch">
        Your provider’s staff can work in {me.client.company}’s portal when you need help. Every impersonation is logged
        here. Neither you nor they can delete an entry.
      </Text>
      {list.isPending && <Skeleton h={160} />}
      {list.error && <SectionError error={list.error} onRetry={list.refetch} />}
      {list.data && rows.length === 0 && <Text c="dimmed">No impersonations yet.</Text>}
      {rows.length > 0 && (
        <Table.ScrollContainer
          minWidth={640}
          scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': 'Visits' } }}
        >
          <Table aria-label="Impersonation log" highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Date and time</Table.Th>
                <Table.Th scope="col">User</Table.Th>
                <Table.Th scope="col">Working as</Table.Th>
                <Table.Th scope="col">Reason</Table.Th>
                <Table.Th scope="col">Ended</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((v) => (
                <Table.Tr key={v.id}>
                  <Table.Td>
                    <DateTimeText at={v.startedAt} />
                  </Table.Td>
                  <Table.Td>
                    {v.visitorName} ({v.visitorUsername})
                  </Table.Td>
                  <Table.Td>{v.asUsername}</Table.Td>
                  <Table.Td maw={420}>
                    {v.reason}
                    {v.changesAllowedAt && (
                      <Text size="sm">
                        Changes allowed from <DateTimeText at={v.changesAllowedAt} />: {v.changesReason}
                      </Text>
                    )}
                    {v.changesAllowedAt && <Text size="sm">{describeChanges(v)}</Text>}
                  </Table.Td>
                  <Table.Td>
                    {v.endedAt ? (
                      <DateTimeText at={v.endedAt} />
                    ) : isHere(v.until) ? (
                      <StatusChip meaning="attention">Active now</StatusChip>
                    ) : (
                      <DateTimeText at={v.until} />
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={(p) => setQuery(p === 1 ? {} : { page: String(p) })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Stack>
  )
}

const describeChanges = ({ changes, changed }: RecordOf<typeof impersonationPeriod>) =>
  changes === null ? 'Changes are being counted' : changed ? `Changes: ${changes}. ${changed}` : 'No changes'

const isHere = (until: string | null) => !!until && Date.parse(until) > Date.now()
