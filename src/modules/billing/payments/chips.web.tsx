import type { ColourMeaning } from '#web/theme/meaning.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { CHARGE_STATES, REFUND_STATES, WEBHOOK_EVENT_STATES } from './charge.ts'

const MEANINGS: Readonly<Record<string, ColourMeaning>> = {
  pending: 'info',
  received: 'info',
  waiting: 'attention',
  succeeded: 'safe',
  done: 'safe',
  failed: 'stop',
  disputed: 'stop',
  reversed: 'attention',
}

const chipOf = (states: readonly { readonly value: string; readonly label: string }[], state: string) => (
  <StatusChip meaning={MEANINGS[state] ?? 'plain'}>{states.find((s) => s.value === state)?.label ?? state}</StatusChip>
)

export const ChargeChip = ({ state }: { readonly state: string }) => chipOf(CHARGE_STATES, state)

export const RefundChip = ({ state }: { readonly state: string }) => chipOf(REFUND_STATES, state)

export const WebhookEventChip = ({ state }: { readonly state: string }) => chipOf(WEBHOOK_EVENT_STATES, state)
