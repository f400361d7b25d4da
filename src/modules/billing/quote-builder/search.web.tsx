import { createTextMatcher } from '#kernel/text/search.ts'
import '@mantine/core/styles/Combobox.layer.css'
import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { type Currency, formatMoney } from '#kernel/money.ts'
import { useList } from '#web/api/resources.ts'
import { plan, sku } from '../catalogue/plan.ts'
import type { QuoteLineListName } from '../lines/lines.ts'
import { describeBillingInterval } from '../lines/payment-words.ts'
import { newQuoteLine, newQuoteLineKey, type QuoteArticle, type QuoteDraftLine } from './draft.web.ts'

interface Props {
  readonly currency: Currency
  readonly autoFocus?: boolean
  readonly onAdd: (list: QuoteLineListName, line: QuoteDraftLine) => void
}

interface Offer {
  readonly key: string
  readonly list: QuoteLineListName
  readonly words: string
  readonly price: string
  readonly line: QuoteDraftLine
}

const MAX_MATCHES = 12
const UNRETIRED_QUERY = { pagination: false, retired: false }
const offerOf = (
  list: QuoteLineListName,
  line: QuoteDraftLine,
  { '@id': key, name, amount, currency }: QuoteArticle,
): Offer => ({
  key,
  list,
  words: name,
  price: `${formatMoney(amount, currency)}${line.interval ? ` ${describeBillingInterval(line.interval, line.intervalCount)}` : ''}`,
  line,
})

/** Searches the catalogue by name; Enter adds the result. Text that matches nothing is added as a custom line. */
export function CatalogueSearch({ currency, autoFocus = false, onAdd }: Props) {
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const articles = { plans: useList(plan, UNRETIRED_QUERY), skus: useList(sku, UNRETIRED_QUERY) }
  const plans = articles.plans.data?.['hydra:member'] ?? []
  const skus = articles.skus.data?.['hydra:member'] ?? []
  /** True while plans and SKUs are loading. No options are shown yet, because the intended one may still arrive. */
  const isComing = articles.plans.isLoading || articles.skus.isLoading
  const [entered, setEntered] = useState(false)
  const offers = [
    ...plans.map((it) => offerOf('plans', { ...newQuoteLine(it), plan: it }, it)),
    ...skus.map((it) => offerOf('skus', { ...newQuoteLine(it), sku: it }, it)),
  ]
  const isWanted = createTextMatcher(typed)
  const found = offers.filter((o) => isWanted(o.words) && o.line.currency === currency).slice(0, MAX_MATCHES)
  const own: Offer = {
    key: 'own',
    list: 'additionalItems',
    words: typed.trim(),
    price: '',
    line: { key: newQuoteLineKey(), description: typed.trim(), quantity: 1, unitAmount: null, currency },
  }
  const add = (o: Offer | undefined) => {
    setEntered(false)
    if (!o) return
    onAdd(o.list, { ...o.line, key: newQuoteLineKey() })
    setTyped('')
    combobox.closeDropdown()
  }
  const arrived = useEffectEvent(() => {
    if (entered) add(found[0])
    else if (typed.trim()) combobox.selectFirstOption()
  })
  useEffect(() => {
    if (isComing) return
    const timer = setTimeout(arrived)
    return () => clearTimeout(timer)
  }, [isComing])
  return (
    <Combobox
      store={combobox}
      withinPortal
      onOptionSubmit={(key) => add(key === 'own' ? own : found.find((o) => o.key === key))}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          role="combobox"
          label="Add a plan, product or custom line"
          placeholder="Type a name or description"
          leftSection={<IconSearch size={16} aria-hidden />}
          autoComplete="off"
          autoFocus={autoFocus}
          value={typed}
          data-product-search
          onChange={(e) => {
            setTyped(e.currentTarget.value)
            setEntered(false)
            combobox.openDropdown()
            combobox.updateSelectedOptionIndex()
            setTimeout(() => combobox.selectFirstOption())
          }}
          onKeyDown={(e) => {
            // Enter selects the first option, even if the user presses it before the results arrive. Arrow keys select
            // another option.
            if (e.key !== 'Enter' || !typed.trim() || combobox.getSelectedOptionIndex() > 0) return
            e.preventDefault()
            if (isComing) setEntered(true)
            else add(found[0] ?? own)
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label="Matching plans and items" mah={320} style={{ overflowY: 'auto' }}>
          {isComing && <Combobox.Empty>Searching…</Combobox.Empty>}
          {found.map((o) => (
            <Combobox.Option key={o.key} value={o.key}>
              {o.words} <small>{o.price}</small>
            </Combobox.Option>
          ))}
          {typed.trim() && !isComing && (
            <Combobox.Option value="own">Add “{typed.trim()}” as a custom line</Combobox.Option>
          )}
          {!typed.trim() && !isComing && found.length === 0 && (
            <Combobox.Empty>Type a name or description</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
