import '@mantine/core/styles/Table.layer.css'
import { Anchor, Stack, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { formatCountWithNoun } from '#kernel/text.ts'
import { useMe } from '#web/api/me.ts'
import { ChartWithTable, FigureLink } from '#web/charts/chart.tsx'
import { DashboardSection } from '#web/dashboard/section.tsx'
import css from './board.module.css'
import {
  countClientDocumentsWithTask,
  resellerClientPath,
  SAFETY_TASK_LABELS,
  useResellerClientFigures,
  useResellerClients,
} from './data.web.ts'
import { type ResellerClientFigures, SAFETY_TASKS } from './figures.ts'

const SHOWN_CLIENTS = 12

/** A reseller's clients and their open tasks. Clients with the most tasks come first. */
export function ResellerClients() {
  const me = useMe()
  const figures = useResellerClientFigures()
  const { clients, total, error, refetch } = useResellerClients(me.client.id)
  const f = figures.data
  return (
    <DashboardSection
      title={clients?.length ? `Our clients (${total})` : 'Our clients'}
      loading={!f || !clients}
      error={(clients ? null : error) ?? (f ? null : figures.error)}
      onRetry={() => void Promise.all([refetch(), figures.refetch()])}
      empty={clients?.length === 0 && 'No clients are linked to you yet. Please ask your provider to link them.'}
    >
      {f && clients && <Clients figures={f} clients={clients} />}
    </DashboardSection>
  )
}

interface Props {
  readonly figures: ResellerClientFigures
  readonly clients: readonly { readonly id: number; readonly company: string | null; readonly city: string | null }[]
}

function Clients({ figures: f, clients }: Props) {
  const sorted = clients
    .map((c) => ({ ...c, toDo: SAFETY_TASKS.reduce((n, task) => n + countClientDocumentsWithTask(f, c.id, task), 0) }))
    .sort((a, b) => b.toDo - a.toDo || (a.company ?? '').localeCompare(b.company ?? ''))
  const drawn = sorted.filter((c) => c.toDo).slice(0, SHOWN_CLIENTS)
  const cell = (id: number, task: (typeof SAFETY_TASKS)[number]) => ({
    value: countClientDocumentsWithTask(f, id, task),
    to: resellerClientPath(id),
  })
  return (
    <Stack gap="lg">
      <Table className={css.clients ?? ''} aria-label="Our clients">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Client</Table.Th>
            {SAFETY_TASKS.map((task) => (
              <Table.Th key={task} scope="col">
                {SAFETY_TASK_LABELS[task].label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((c) => (
            <Table.Tr key={c.id}>
              <Table.Th scope="row">
                <Anchor component={Link} to={resellerClientPath(c.id)}>
                  {c.company}
                </Anchor>
                {c.city && (
                  <Text component="span" size="sm" c="dimmed" display="block">
                    {c.city}
                  </Text>
                )}
              </Table.Th>
              {SAFETY_TASKS.map((task) => (
                <Table.Td key={task} data-label={SAFETY_TASK_LABELS[task].label}>
                  <FigureLink cell={cell(c.id, task)} name={`${SAFETY_TASK_LABELS[task].label}, ${c.company}`} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {drawn.length > 0 && (
        <ChartWithTable
          title="Our clients’ open tasks"
          summary={drawn.map((c) => `${c.company}: ${formatCountWithNoun(c.toDo, 'task')[0]}`).join('; ')}
          columns={drawn.map((c) => c.company ?? `Client ${c.id}`)}
          rowIs="Task"
          isStacked
          isLying
          height={Math.max(120, 44 * drawn.length + 40)}
          series={SAFETY_TASKS.map((task) => ({
            ...SAFETY_TASK_LABELS[task],
            cells: drawn.map((c) => cell(c.id, task)),
          }))}
        />
      )}
    </Stack>
  )
}
