import { londonDate } from '#kernel/time.ts'
import { useNow } from '#web/dates/use-now.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { DUNNING_STATES } from './dunning.ts'

const MEANINGS: Readonly<Record<string, ColourMeaning>> = {
  collecting: 'attention',
  held: 'stop',
  collected: 'safe',
  ended: 'plain',
}

interface DunningChipState {
  readonly state?: string | null
  readonly pausedUntil?: string | null
}

/** An invoice's payment reminder status. */
export function DunningChip({ of: { state, pausedUntil } }: { readonly of: DunningChipState }) {
  const today = londonDate(useNow()).toString()
  if (!state) return null
  if (state === 'collecting' && pausedUntil && pausedUntil >= today)
    return <StatusChip meaning="info">Paused</StatusChip>
  return (
    <StatusChip meaning={MEANINGS[state] ?? 'plain'}>
      {DUNNING_STATES.find((s) => s.value === state)?.label ?? state}
    </StatusChip>
  )
}

const PROMISES: Readonly<Record<string, readonly [ColourMeaning, string]>> = {
  open: ['info', 'Promised'],
  kept: ['safe', 'Kept'],
  broken: ['stop', 'Broken'],
}

/** State of a promise to pay, calculated from payments. */
export function PromiseChip({ state }: { readonly state: string | null | undefined }) {
  const found = PROMISES[state ?? '']
  return found ? <StatusChip meaning={found[0]}>{found[1]}</StatusChip> : null
}
