import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { formatMoney } from '#kernel/money.ts'
import { useList } from '#web/api/resources.ts'
import { plan, sku } from '../catalogue/plan.ts'
import type { ListName } from '../lines/lines.ts'
import { everyWords } from '../lines/sum.ts'
import { type DraftLine, newKey } from './draft.web.ts'

interface Props {
  readonly currency: string
  readonly onAdd: (list: ListName, line: DraftLine) => void
}

interface Offer {
  readonly key: string
  readonly list: ListName
  readonly words: string
  readonly price: string
  readonly line: DraftLine
}

const MOST = 12
const ALL = { pagination: false, retired: false }
type Priced = {
  '@id': string
  name: string | null
  amount: number | null
  currency: string | null
  retired: boolean
  interval?: string | null
  intervalCount?: number | null
  taxRate?: unknown
}

const percentOf = (rate: unknown) => (rate as { percent?: number } | null)?.percent
const target = (it: Priced) => ({
  '@id': it['@id'],
  name: it.name ?? '',
  amount: it.amount ?? 0,
  currency: it.currency ?? 'GBP',
  retired: false,
})
const lineOf = (it: Priced, as: 'plan' | 'sku'): DraftLine => ({
  key: newKey(),
  [as]: target(it),
  description: it.name ?? '',
  quantity: 1,
  unitAmount: it.amount ?? 0,
  currency: it.currency,
  ...(percentOf(it.taxRate) === undefined ? {} : { taxPercent: percentOf(it.taxRate) ?? null }),
  interval: it.interval ?? null,
  intervalCount: it.intervalCount ?? null,
})

/** Finds what is sold by its name; Enter adds it. What is not in the catalogue is added in one's own words. */
export function ProductSearch({ currency, onAdd }: Props) {
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const plans = (useList(plan, ALL).data?.['hydra:member'] ?? []) as unknown as readonly Priced[]
  const skus = (useList(sku, ALL).data?.['hydra:member'] ?? []) as unknown as readonly Priced[]
  const offer = (it: Priced, as: 'plan' | 'sku'): Offer => ({
    key: it['@id'],
    list: as === 'plan' ? 'plans' : 'skus',
    words: it.name ?? '',
    price: `${formatMoney(it.amount ?? 0, it.currency ?? 'GBP')}${it.interval ? ` ${everyWords(it.interval, it.intervalCount)}` : ''}`,
    line: lineOf(it, as),
  })
  const wanted = typed.trim().toLowerCase().split(/\s+/)
  const found = [...plans.map((p) => offer(p, 'plan')), ...skus.map((s) => offer(s, 'sku'))]
    .filter((o) => wanted.every((w) => o.words.toLowerCase().includes(w)) && o.line.currency === currency)
    .slice(0, MOST)
  const own: Offer = {
    key: 'own',
    list: 'additionalItems',
    words: typed.trim(),
    price: '',
    line: { key: newKey(), description: typed.trim(), quantity: 1, unitAmount: null, currency },
  }
  const add = (o: Offer | undefined) => {
    if (!o) return
    onAdd(o.list, { ...o.line, key: newKey() })
    setTyped('')
    combobox.closeDropdown()
  }
  return (
    <Combobox
      store={combobox}
      withinPortal
      onOptionSubmit={(key) => add(key === 'own' ? own : found.find((o) => o.key === key))}
    >
      <Combobox.Target>
        <TextInput
          label="Add a plan, an item or something of your own"
          placeholder="Type a name, Enter adds it"
          leftSection={<IconSearch size={16} aria-hidden />}
          autoComplete="off"
          value={typed}
          data-product-search
          onChange={(e) => {
            setTyped(e.currentTarget.value)
            combobox.openDropdown()
            combobox.updateSelectedOptionIndex()
            setTimeout(() => combobox.selectFirstOption())
          }}
          onKeyDown={(e) => {
            // Enter takes the first, however fast it comes; another one is chosen by the arrows.
            if (e.key !== 'Enter' || !typed.trim() || combobox.getSelectedOptionIndex() > 0) return
            e.preventDefault()
            add(found[0] ?? own)
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label="What can be added" mah={320} style={{ overflowY: 'auto' }}>
          {found.map((o) => (
            <Combobox.Option key={o.key} value={o.key}>
              {o.words} <small>{o.price}</small>
            </Combobox.Option>
          ))}
          {typed.trim() && <Combobox.Option value="own">Add “{typed.trim()}” as an additional item</Combobox.Option>}
          {!typed.trim() && found.length === 0 && <Combobox.Empty>Type what it is called</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
