import { Anchor, Button } from '@mantine/core'
import { IconAlertTriangle, IconClipboardCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { can } from '#kernel/can.ts'
import { iriOf } from '#kernel/resource.ts'
import { RaisedActions } from '#modules/actions/raised-actions.web.tsx'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { assuranceNav, equipmentItemPath } from '../nav.ts'
import { equipmentCheck, equipmentHandover, requiredCheck } from './check.ts'
import { ChecksSection } from './checks.web.tsx'
import css from './equipment.module.css'
import { FitnessChip } from './fitness-chip.web.tsx'
import { type EquipmentItem, equipmentEvent, equipmentFile, equipmentItem, isPresent } from './item.ts'
import { ItemHistory } from './item-history.web.tsx'
import { ItemMenu } from './item-menu.web.tsx'
import { LABELS_URL, OTHER_COMPANY_LABEL } from './label.ts'

const CheckDialog = lazyComponent(() => import('./check-dialog.web.tsx'))
const HandoverDialog = lazyComponent(() => import('./handover-dialog.web.tsx'))

const BACK = { label: 'Equipment', to: assuranceNav.equipment.path }

/** An item of equipment: its fitness, checks, files, parts, actions and history. */
export default function EquipmentItemPage() {
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  const { clientId } = useActor()
  const isOther = ![null, String(clientId)].includes(search.get('company'))
  const found = useApiRecord(equipmentItem, id)
  usePageTitle(found.data?.name)
  // In another company, the ID on a label names another item.
  if (isOther)
    return (
      <Page title="Equipment" back={BACK}>
        <EmptyState title={OTHER_COMPANY_LABEL}>Find the item in the register by its number.</EmptyState>
      </Page>
    )
  if (found.data) return <ItemScreen item={found.data} />
  return (
    <Page title="Equipment" back={BACK}>
      {found.error ? <ErrorState error={found.error} onRetry={() => void found.refetch()} /> : <LoadingRows rows={6} />}
    </Page>
  )
}

function ItemScreen({ item }: { readonly item: EquipmentItem }) {
  const actor = useActor()
  const queries = useQueryClient()
  const [open, setOpen] = useState<'defect' | 'repair' | 'handover'>()
  const close = () => setOpen(undefined)
  const refresh = () => {
    for (const { url } of [
      equipmentItem,
      requiredCheck,
      equipmentCheck,
      equipmentHandover,
      equipmentEvent,
      equipmentFile,
    ])
      void queries.invalidateQueries({ queryKey: [url] })
  }
  const isHere = isPresent(item.lifecycle)
  const isOut = item.fitness === 'out of service'
  const required = useList(requiredCheck, { item: item['@id'], retired: false, itemsPerPage: 100 }).data
  const hasDefect = isOut && required?.['hydra:member'].every(({ state }) => state !== 'out of service')
  return (
    <Page
      title={`${item.number} ${item.name}`}
      back={BACK}
      beside={<FitnessChip fitness={item.fitness} />}
      actions={
        <>
          {isHere && hasDefect && can(actor, 'create', equipmentHandover) && (
            <Button leftSection={<IconClipboardCheck size={16} aria-hidden />} onClick={() => setOpen('repair')}>
              Record a check after a repair
            </Button>
          )}
          {isHere && can(actor, 'create', equipmentCheck) && (
            <Button
              variant="default"
              leftSection={<IconAlertTriangle size={16} aria-hidden />}
              onClick={() => setOpen('defect')}
            >
              Report a defect
            </Button>
          )}
          {isHere && !isOut && can(actor, 'create', equipmentHandover) && (
            <Button variant="default" onClick={() => setOpen('handover')}>
              Hand over
            </Button>
          )}
          {can(actor, 'update', equipmentItem) && (
            <Button
              variant="default"
              onClick={() =>
                void downloadFile(`${LABELS_URL}?items=${item.id}`, `${item.number} label.pdf`).catch((e: unknown) =>
                  toast.failed(e),
                )
              }
            >
              Print label
            </Button>
          )}
          <ItemMenu item={item} onChanged={refresh} />
        </>
      }
    >
      <ItemFacts item={item} />
      <ChecksSection item={item} onChanged={refresh} />
      <section className={layout.card} aria-label="Corrective actions">
        <h2>Corrective actions</h2>
        <RaisedActions of={{ source: iriOf(equipmentItem, item.id) }} />
      </section>
      <ItemHistory item={item} onChanged={refresh} />
      {(open === 'defect' || open === 'repair') && (
        <CheckDialog item={item} isDefect={open === 'defect'} onClose={close} onSaved={refresh} />
      )}
      {open === 'handover' && <HandoverDialog item={item} onClose={close} onSaved={refresh} />}
    </Page>
  )
}

function ItemFacts({ item }: { readonly item: EquipmentItem }) {
  const parts = useList(equipmentItem, { parent: item['@id'], itemsPerPage: 100 }).data?.['hydra:member'] ?? []
  const lifecycle = equipmentItem.fields.lifecycle.options?.find(({ value }) => value === item.lifecycle)?.label
  const facts = [
    ['Lifecycle', lifecycle],
    ['Category', item.category?.name],
    ['Maker', item.maker],
    ['Serial number', item.serialNumber],
    ['Safe working load', item.safeWorkingLoad],
    ['Owner', item.owner],
    ['Site', item.site?.name],
    ['Holder', item.holder?.name],
    ['Purchased on', formatIsoAsUkDate(item.purchasedOn)],
    [
      'Hired',
      item.hiredFrom && `${formatIsoAsUkDate(item.hiredFrom)} to ${formatIsoAsUkDate(item.hiredUntil) || 'not stated'}`,
    ],
    ['Hours of use', item.hoursUsed?.toString()],
    ['Notes', item.notes],
  ].filter(([, words]) => words)
  return (
    <section className={layout.card} aria-label="Details">
      <dl className={`${layout.facts} ${css.facts}`}>
        {facts.map(([label, words]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{words}</dd>
          </div>
        ))}
        {parts.length > 0 && (
          <div>
            <dt>Parts</dt>
            {parts.map((part) => (
              <dd key={part.id}>
                <Anchor component={Link} to={equipmentItemPath(part.id)}>{`${part.number} ${part.name}`}</Anchor>{' '}
                <FitnessChip fitness={part.fitness} />
              </dd>
            ))}
          </div>
        )}
      </dl>
    </section>
  )
}
