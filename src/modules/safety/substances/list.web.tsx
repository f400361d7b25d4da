import { Button } from '@mantine/core'
import { IconCopy, IconPencil, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { UploadsView } from '#web/uploads/view.tsx'
import { LazyLibraryItemUses } from '../impact/item-uses.web.tsx'
import { loadRetireConfirmationText } from '../impact/retire-question.web.ts'
import { isSystemTemplate, libraryOwnerOf } from '../statements/selection.ts'
import { DataSheetStatus, HazardGroupChip, SubstanceCard } from './card.web.tsx'
import { MAX_DATA_SHEET_AGE_MONTHS, substance } from './substance.ts'
import { SubstanceForm, type SubstanceRecord } from './substance-form.web.tsx'

interface Props {
  /** Substance to open: `new`, an ID, or '' if the dialog is closed. */
  readonly open: string
  readonly onOpen: (id: string) => void
}

/** Dialog to view a substance. Users who manage the library can also edit or copy it. */
function SubstanceDialog({ open, onOpen }: Props) {
  const [shown, setShown] = useState(open)
  const [editing, setEditing] = useState(false)
  if (open && open !== shown) {
    setShown(open)
    setEditing(false)
  }
  const id = shown && shown !== 'new' ? shown : undefined
  const one = useApiRecord(substance, id)
  const close = () => {
    setEditing(false)
    onOpen('')
  }
  return (
    <Dialog
      opened={open !== ''}
      addressed
      onClose={close}
      size="56rem"
      title={id ? (one.data?.name ?? 'Substance') : 'New substance'}
    >
      {shown === 'new' && <SubstanceForm onCancel={close} onSaved={(made) => onOpen(String(made.id))} />}
      {id && one.isPending && <LoadingRows rows={6} />}
      {id && one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {one.data &&
        id &&
        (editing ? (
          <>
            <SubstanceForm
              key={id}
              record={one.data}
              onCancel={() => setEditing(false)}
              onSaved={() => setEditing(false)}
            />
            <LazyLibraryItemUses of={one.data} called={`The substance “${one.data.name}”`} />
          </>
        ) : (
          <Shown record={one.data} onEdit={() => setEditing(true)} onOpen={onOpen} onClose={close} />
        ))}
    </Dialog>
  )
}

interface ShownProps {
  readonly record: SubstanceRecord
  readonly onEdit: () => void
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}

function Shown({ record, onEdit, onOpen, onClose }: ShownProps) {
  const actor = useActor()
  const queries = useQueryClient()
  const [copying, setCopying] = useState(false)
  const own = can(actor, 'update', substance, { clientId: libraryOwnerOf(record) })
  const sheet = linkedRecordIri(record.sheet)
  const copy = () => {
    setCopying(true)
    return callApi<SubstanceRecord>('POST', `${record['@id']}/copy`)
      .then(async (made) => {
        await queries.invalidateQueries({ queryKey: [substance.url] })
        toast.saved(`your copy of ${record.name}`)
        onOpen(String(made.id))
      })
      .catch((e: unknown) => toast.failed(e, () => void copy()))
      .finally(() => setCopying(false))
  }
  return (
    <>
      <SubstanceCard of={record} apart />
      {sheet && <UploadsView value={[{ '@id': sheet }]} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {own && (
          <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
            Edit substance
          </Button>
        )}
        {!own && isSystemTemplate(record) && can(actor, 'create', substance) && (
          <Button loading={copying} leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
            Copy to our library
          </Button>
        )}
      </DialogActions>
      <LazyLibraryItemUses of={record} called={`The substance “${record.name}”`} />
    </>
  )
}

const LIST = listUrlSchema({
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
  const old = Temporal.PlainDate.from(londonToday()).subtract({ months: MAX_DATA_SHEET_AGE_MONTHS }).toString()
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
          ...(whose ? { client: whose === 'own' ? actor.clientId : PROVIDER_CLIENT_ID } : {}),
          ...(sheet ? { 'sheetDate[before]': old } : {}),
        }}
        search="Search by name, supplier or CAS number"
        bulkWords={{ retire: { asks: loadRetireConfirmationText } }}
        filters={[
          {
            key: 'whose',
            label: 'Source',
            options: [
              { value: 'own', label: 'Our own' },
              { value: 'system', label: 'Ready-made' },
            ],
          },
          'form',
          {
            key: 'sheet',
            label: 'Data sheet',
            options: [{ value: 'old', label: `${MAX_DATA_SHEET_AGE_MONTHS} months or older` }],
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
            title: 'Source',
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
