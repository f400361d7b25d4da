import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import type { BulkActionWording } from '#web/lists/extras/bulk-bar.tsx'
import { parseDaySpan } from '#web/lists/weeks.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { MoneyCell } from '../money.web.tsx'
import type { countedSale } from './counted-sale.ts'

/** Builds the list parameters that restrict a date field to a range of days. */
export function dayRangeParams(field: string, when: string): Record<string, string> {
  if (!when) return {}
  const first = Temporal.PlainDate.from(when === 'today' ? londonToday() : (parseDaySpan(when)?.[0] ?? when).toString())
  const last = parseDaySpan(when)?.[1] ?? (when === 'today' ? first : first.add({ days: 6 }))
  return { [`${field}[after]`]: first.toString(), [`${field}[before]`]: last.toString() }
}

export type CountedSaleRecord = RecordOf<typeof countedSale>

const Stands = ({ of }: { readonly of: CountedSaleRecord }) =>
  of.retired ? (
    <StatusChip meaning="plain">Retired</StatusChip>
  ) : of.state === 'checked' ? (
    <StatusChip meaning="safe">Checked</StatusChip>
  ) : (
    <StatusChip meaning="attention">Not checked</StatusChip>
  )

/** Texts for bulk actions on sales. Bulk checks send the versions of the listed sales. */
export const SALE_BULK_WORDS: Readonly<Record<string, BulkActionWording>> = {
  check: {
    title: 'Check',
    input: (rows) => ({
      versions: Object.fromEntries((rows as readonly CountedSaleRecord[]).map(({ id, version }) => [id, version])),
    }),
  },
}

/** First columns of all lists of sales. */
export const SALE_COLUMNS = [
  { key: 'what', title: 'What was sold', link: true },
  { key: 'company', title: 'Company' },
  { key: 'day', title: 'Day', tight: true, render: (s: CountedSaleRecord) => formatIsoDateAsUk(s.day) },
  { key: 'seller', title: 'Sold by', tight: true },
  {
    key: 'amount',
    title: 'Amount',
    render: (s: CountedSaleRecord) => <MoneyCell pence={s.amount} currency={s.currency} />,
  },
  { key: 'state', title: 'Check status', tight: true, render: (s: CountedSaleRecord) => <Stands of={s} /> },
  { key: 'source', title: 'Source', wide: true, inCard: false },
] as const
