import { londonDate } from '#kernel/time.ts'
import { useNow } from '#web/dates/use-now.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import type { InvoiceState } from './invoice.ts'

const CHIPS: Readonly<Record<InvoiceState | 'overdue', readonly [ColourMeaning, string]>> = {
  draft: ['plain', 'Draft'],
  open: ['info', 'Open'],
  overdue: ['stop', 'Overdue'],
  paid: ['safe', 'Paid'],
  void: ['plain', 'Void'],
  uncollectible: ['attention', 'Written off'],
}

/** Invoice status. Open invoices past their due date are shown as overdue. */
export function InvoiceChip({ of }: { readonly of: { state?: InvoiceState | null; dueOn?: string | null } }) {
  const today = londonDate(useNow()).toString()
  const isLate = of.state === 'open' && of.dueOn && of.dueOn < today
  const [meaning, word] = CHIPS[isLate ? 'overdue' : (of.state ?? 'draft')]
  return <StatusChip meaning={meaning}>{word}</StatusChip>
}
