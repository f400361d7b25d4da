import { PersonName } from '#web/ui/people/person-name.tsx'
import '@mantine/core/styles/Combobox.layer.css'
import { Select, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { can } from '#kernel/can.ts'
import { type PackState, packStateFromStatus, statusForPackState } from '#kernel/packs.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useList, useSaveRecord } from '#web/api/resources.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { client as clients } from '../clients/client.ts'
import { appStatus, appStatusChange, packProduct } from '../packs/app-status.ts'

type Client = RecordOf<typeof clients>

const STATES: readonly { readonly value: PackState; readonly label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'lapsed', label: 'Lapsed: records are read-only' },
  { value: 'none', label: 'Not added' },
]
const PACK_STATE_LABELS: Readonly<Record<PackState, string>> = {
  active: 'active',
  lapsed: 'lapsed',
  none: 'not added',
}

/** A client's packs with their status and history. The provider's client administrators can change the packs. */
export function ClientPacks({ client: c, onChanged }: { readonly client: Client; readonly onChanged?: () => void }) {
  const actor = useActor()
  const queries = useQueryClient()
  const products = useList(packProduct, { pagination: false, retired: false })
  const has = useList(appStatus, { client: c.id, itemsPerPage: 100 })
  const save = useSaveRecord(appStatus)
  const fixed = !can(actor, 'update', appStatus)
  const statusOf = (id: number) => has.data?.['hydra:member'].find((one) => one.product.id === id)
  const set = (product: number, state: PackState) => {
    const known = statusOf(product)
    const values = known
      ? { ...statusForPackState(state) }
      : { ...statusForPackState(state), client: iriOf(clients, c.id), product: iriOf(packProduct, product) }
    save.mutate(
      { ...(known ? { id: known.id } : {}), values },
      {
        onSuccess: () => {
          toast.saved(`packs for ${c.company}`)
          void queries.invalidateQueries({ queryKey: [appStatusChange.url] })
          onChanged?.()
        },
        onError: (e) => toast.failed(e, () => set(product, state)),
      },
    )
  }
  const failed = products.error ?? has.error
  return (
    <section className={page.card} aria-labelledby="client-packs">
      <Title order={2} size="h4" id="client-packs" mb="sm">
        Packs
      </Title>
      {failed && <ErrorState error={failed} onRetry={() => void Promise.all([products.refetch(), has.refetch()])} />}
      {!failed && !(products.data && has.data) && <LoadingRows />}
      {products.data && has.data && (
        <div className={page.facts}>
          {products.data['hydra:member'].map((product) => (
            <Select
              key={product.id}
              label={product.name}
              {...(product.prodLegend ? { description: product.prodLegend } : {})}
              data={STATES}
              value={packStateFromStatus(statusOf(product.id))}
              allowDeselect={false}
              readOnly={fixed}
              variant={fixed ? 'filled' : 'default'}
              disabled={save.isPending}
              onChange={(state) => set(product.id, STATES.find((s) => s.value === state)?.value ?? 'none')}
            />
          ))}
        </div>
      )}
      <History id={c.id} />
    </section>
  )
}

function History({ id }: { readonly id: number }) {
  const changes = useList(appStatusChange, { client: id, itemsPerPage: 10 })
  const all = changes.data?.['hydra:member'] ?? []
  if (!all.length) return null
  return (
    <>
      <Text size="sm" fw={600} mt="sm" id="pack-history">
        Changes
      </Text>
      <ul aria-labelledby="pack-history">
        {all.map((one) => (
          <li key={one.id}>
            <Text size="sm" span>
              {`${one.product?.name ?? 'A pack'}: ${PACK_STATE_LABELS[one.was]} → ${PACK_STATE_LABELS[one.becomes]}, by `}
              <PersonName username={one.author} /> <RelativeTimeText at={one.createdAt} empty="" />
            </Text>
          </li>
        ))}
      </ul>
    </>
  )
}
