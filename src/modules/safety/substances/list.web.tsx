import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, OfflineNotice } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { retireQuestion } from '../impact/asks.web.ts'
import { isSystemTemplate } from '../statements/selection.ts'
import { DataSheetStatus, HazardGroupChip } from './card.web.tsx'
import { DATA_SHEET_MAX_MONTHS, substance } from './substance.ts'
import { SubstanceDialog } from './substance-dialog.web.tsx'

const LIST = listSchema({
  retired: retiredFilterSchema,
  form: z.string().max(40).default(''),
  whose: z.enum(['', 'own', 'system']).default(''),
  sheet: z.enum(['', 'old']).default(''),
})
const OPEN = z.object({
  open: z
    .string()
    .regex(/^(\d*|new)$/)
    .default(''),
})

export default function SubstancesPage() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [{ open }, setOpen] = useUrlState(OPEN, { steps: true })
  const { whose, sheet, ...asked } = state
  const old = Temporal.PlainDate.from(londonToday()).subtract({ months: DATA_SHEET_MAX_MONTHS }).toString()
  const may = can(actor, 'create', substance)
  return (
    <Page
      title="Substances"
      actions={
        may && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen({ open: 'new' })}>
            New substance
          </Button>
        )
      }
    >
      <OfflineNotice />
      <DataList
        resource={substance}
        label="Substances"
        state={state}
        onState={set}
        asked={{
          ...asked,
          ...(whose ? { client: whose === 'own' ? actor.clientId : PROVIDER } : {}),
          ...(sheet ? { 'sheetDate[before]': old } : {}),
        }}
        search="Search by name or supplier"
        bulkWords={{ retire: { asks: retireQuestion } }}
        filters={[
          {
            key: 'whose',
            label: 'Owner',
            options: [
              { value: 'own', label: 'Our own' },
              { value: 'system', label: 'Ready-made' },
            ],
          },
          'form',
          {
            key: 'sheet',
            label: 'Data sheet',
            options: [{ value: 'old', label: `${DATA_SHEET_MAX_MONTHS} months or older` }],
          },
          'retired',
        ]}
        columns={[
          'name',
          { key: 'supplier', wide: true },
          { key: 'form', wide: true },
          {
            key: 'hazardStatements',
            title: 'Hazard group',
            tight: true,
            fields: ['hazardStatements', 'signalWord'],
            render: (row) => <HazardGroupChip of={row} short />,
          },
          {
            key: 'sheetDate',
            title: 'Data sheet',
            tight: true,
            fields: ['sheet', 'sheetDate'],
            render: (row) => (isSystemTemplate(row) ? '—' : <DataSheetStatus of={row} short />),
          },
          {
            key: 'client',
            title: 'Owner',
            tight: true,
            render: (row) => (isSystemTemplate(row) ? <StatusChip meaning="info">Template</StatusChip> : 'Own'),
          },
          ...(state.retired === 'false' ? [] : [{ key: 'retired', title: 'Status' }]),
        ]}
        rowMuted={(row) => row.retired}
        onOpen={(row) => setOpen({ open: String(row.id) })}
        empty={<EmptyState title="No substances yet">Substances your company works with appear here.</EmptyState>}
      />
      <SubstanceDialog open={open} onOpen={(id) => setOpen({ open: id })} />
    </Page>
  )
}
