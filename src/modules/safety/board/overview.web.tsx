import '@mantine/core/styles/Table.layer.css'
import { Anchor, Button, Table, Text } from '@mantine/core'
import { Link, Navigate } from 'react-router'
import { isNavigationEntryShown } from '#kernel/packs.ts'
import { formatCountWithNoun } from '#kernel/text.ts'
import type { DocumentTypeInfo } from '#modules/documents/types/type-info.ts'
import { useActor } from '#web/api/me.ts'
import { FigureLink } from '#web/charts/chart.tsx'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { safetyNav } from '../nav.ts'
import css from './board.module.css'
import { filteredDocumentListPath } from './board.web.tsx'
import { ResellerClients } from './clients.web.tsx'
import { SAFETY_TASK_LABELS, useSafetyFigures } from './data.web.ts'
import type { SafetyFigures, SafetyTask } from './figures.ts'
import { type ReviewTrafficLight, reviewTrafficLightFor } from './figures.ts'
import { canSeeSafetyFigures, isResellerWithoutStaffRole } from './parts.web.tsx'
import { SAFETY_DOCUMENT_TYPE_INFOS } from './type-infos.ts'

/** Status of a company's safety documents by type. Resellers also see each client's number of open tasks. */
export default function SafetyOverviewPage() {
  const actor = useActor()
  const [own, theirs] = [canSeeSafetyFigures(actor), isResellerWithoutStaffRole(actor)]
  return (
    <Page title="Safety overview">
      {own && <Own />}
      {theirs && <ResellerClients />}
      {!own && !theirs && (
        <EmptyState
          title="Choose a client first"
          action={
            <Button component={Link} to="/cms/clients">
              Choose a client
            </Button>
          }
        >
          To see the status of a client’s documents here, work as one of the client’s users.
        </EmptyState>
      )}
    </Page>
  )
}

function Own() {
  const figures = useSafetyFigures()
  return (
    <DashboardSection
      title="Status by document type"
      loading={figures.isPending}
      error={figures.data ? null : figures.error}
      onRetry={() => void figures.refetch()}
    >
      {figures.data && <Kinds of={figures.data} />}
    </DashboardSection>
  )
}

const COUNTED = ['soon', 'late', 'approve', 'unsigned'] as const satisfies readonly SafetyTask[]

function Kinds({ of: f }: { readonly of: SafetyFigures }) {
  const toDo = (info: DocumentTypeInfo, task: SafetyTask) => f.toDo.find((t) => t.kind === info.kind && t.task === task)
  const inForce = (info: DocumentTypeInfo) => f.inForce.find((k) => k.kind === info.kind)?.documents ?? 0
  return (
    <Table className={css.clients ?? ''} aria-label="Documents by type">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Type</Table.Th>
          <Table.Th scope="col">Current</Table.Th>
          {COUNTED.map((task) => (
            <Table.Th key={task} scope="col">
              {SAFETY_TASK_LABELS[task].label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {SAFETY_DOCUMENT_TYPE_INFOS.map((info) => {
          const { title } = info.nav
          const missing = toDo(info, 'unsigned')?.signatures
          const light = reviewTrafficLightFor({
            inForce: inForce(info),
            late: toDo(info, 'late')?.documents ?? 0,
            soon: toDo(info, 'soon')?.documents ?? 0,
          })
          return (
            <Table.Tr key={info.kind}>
              <Table.Th scope="row">
                <Anchor component={Link} to={info.screens.list}>
                  {title}
                </Anchor>
                <span className={css.light}>
                  <StatusChip meaning={LIGHTS[light].meaning}>{LIGHTS[light].word}</StatusChip>
                </span>
              </Table.Th>
              <Table.Td data-label="Current">
                <FigureLink
                  cell={{ value: inForce(info), to: filteredDocumentListPath(info, 'current') }}
                  name={`current, ${title}`}
                />
              </Table.Td>
              {COUNTED.map((task) => (
                <Table.Td key={task} data-label={SAFETY_TASK_LABELS[task].label}>
                  <span>
                    <FigureLink
                      cell={{ value: toDo(info, task)?.documents ?? 0, to: filteredDocumentListPath(info, task) }}
                      name={`${SAFETY_TASK_LABELS[task].label}, ${title}`}
                    />
                    {task === 'unsigned' && missing ? (
                      <Text component="span" size="sm" c="dimmed" display="block">
                        {`${formatCountWithNoun(missing, 'signature')[0]} missing`}
                      </Text>
                    ) : null}
                  </span>
                </Table.Td>
              ))}
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

const LIGHTS = {
  late: { word: 'Overdue', meaning: 'stop' },
  soon: { word: 'Due soon', meaning: 'attention' },
  well: { word: 'Reviews up to date', meaning: 'safe' },
  none: { word: 'None in force', meaning: 'plain' },
} as const satisfies Record<ReviewTrafficLight, unknown>

/**
 * Start page of the safety section: the overview for users who can see the safety board, the documents in force for
 * everybody else.
 */
export function SafetyStartPage() {
  const actor = useActor()
  return (
    <Navigate replace to={isNavigationEntryShown(actor, safetyNav.overview) ? safetyNav.overview.path : '/sfp/view'} />
  )
}
