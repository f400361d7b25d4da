import type { ColourMeaning } from '#web/theme/meaning.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { SUBSCRIPTION_STATES, type SubscriptionState } from './subscription.ts'

const MEANINGS: Readonly<Record<SubscriptionState, ColourMeaning>> = {
  trialing: 'info',
  active: 'safe',
  past_due: 'stop',
  paused: 'attention',
  cancelled: 'plain',
}

/** Status of a subscription. Also shows whether the subscription ends after the current period. */
export function SubscriptionChip({
  of,
}: {
  readonly of: { status: SubscriptionState; cancelAtPeriodEnd: boolean | null; lapsedOn: string | null }
}) {
  if (of.cancelAtPeriodEnd && of.status !== 'cancelled')
    return <StatusChip meaning="attention">Ends after this period</StatusChip>
  if (of.lapsedOn && of.status === 'past_due') return <StatusChip meaning="stop">Lapsed</StatusChip>
  const word = SUBSCRIPTION_STATES.find(({ value }) => value === of.status)?.label ?? ''
  return <StatusChip meaning={MEANINGS[of.status]}>{word}</StatusChip>
}
