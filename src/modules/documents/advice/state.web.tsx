import type { ColourMeaning } from '#web/theme/meaning.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { ADVICE_STATES } from './advice-request.ts'

const LOOKS: Readonly<Record<string, ColourMeaning>> = { asked: 'attention', taken: 'info', answered: 'safe' }

export const AdviceStatus = ({ of }: { readonly of: { readonly state: string | null } }) => (
  <StatusChip meaning={LOOKS[of.state ?? ''] ?? 'plain'}>
    {ADVICE_STATES.find(({ value }) => value === of.state)?.label ?? ''}
  </StatusChip>
)
