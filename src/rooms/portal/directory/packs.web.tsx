import '@mantine/core/styles/Combobox.layer.css'
import { Select, Title } from '@mantine/core'
import { can } from '#kernel/can.ts'
import { changedBy } from '#kernel/fields.ts'
import { boughtPack, PACK_NAMES, PACKS, type Pack, type PackState, withPack } from '#kernel/packs.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { holds } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { useSave } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import { say } from '#web/ui/say.ts'
import { client } from '../clients/client.ts'

const STATES: readonly { readonly value: PackState; readonly label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'lapsed', label: 'Lapsed: its records can only be read and exported' },
  { value: 'none', label: 'Not bought' },
]

/** What a client has bought of each pack; the provider's client administrators change it. */
export function Packs({ client: c }: { readonly client: RecordOf<typeof client> }) {
  const actor = useActor()
  const save = useSave(client)
  const fixed = !can(actor, 'update', client) || !holds(actor, changedBy(client.fields.packs) ?? 'member')
  const set = (pack: Pack, state: PackState) => {
    save.mutate(
      { id: c.id, values: withPack(c, pack, state) },
      { onSuccess: () => say.saved(`packs of ${c.company}`), onError: (e) => say.failed(e, () => set(pack, state)) },
    )
  }
  return (
    <section className={page.card} aria-labelledby="client-packs">
      <Title order={2} size="h4" id="client-packs" mb="sm">
        Packs
      </Title>
      <div className={page.facts}>
        {PACKS.map((pack) => (
          <Select
            key={pack}
            label={PACK_NAMES[pack]}
            data={STATES}
            value={boughtPack(c, pack)}
            allowDeselect={false}
            readOnly={fixed}
            variant={fixed ? 'filled' : 'default'}
            disabled={save.isPending}
            onChange={(state) => set(pack, STATES.find((s) => s.value === state)?.value ?? 'none')}
          />
        ))}
      </div>
    </section>
  )
}
