import { useNow } from '#web/dates/use-now.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'

const CHIPS: Readonly<Record<string, readonly [ColourMeaning, string]>> = {
  draft: ['plain', 'Draft'],
  open: ['info', 'Open'],
  accepted: ['safe', 'Accepted'],
  declined: ['stop', 'Declined'],
  expired: ['attention', 'Expired'],
  cancelled: ['plain', 'Cancelled'],
  replaced: ['plain', 'Replaced'],
}

/** Status of a quote. A quote past its expiry date is shown as expired, even before the expiry job has run. */
export function QuoteChip({
  of,
}: {
  readonly of: { state?: string | null; expiresAt?: string | null; replacedBy?: unknown }
}) {
  const now = useNow()
  const past = of.state === 'open' && of.expiresAt && Date.parse(of.expiresAt) <= now.epochMilliseconds
  const [meaning, word] = CHIPS[of.replacedBy ? 'replaced' : past ? 'expired' : (of.state ?? 'draft')] ?? ['plain', '']
  return <StatusChip meaning={meaning}>{word}</StatusChip>
}
