import { IconBan, IconCheck, IconClock, IconEye, IconMail, IconSignature, IconX } from '@tabler/icons-react'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { type ContractState, contract } from './contract.ts'

const LOOKS = {
  sending: { meaning: 'attention', icon: IconMail },
  sent: { meaning: 'info', icon: IconClock },
  opened: { meaning: 'info', icon: IconEye },
  signed: { meaning: 'attention', icon: IconSignature },
  complete: { meaning: 'safe', icon: IconCheck },
  declined: { meaning: 'stop', icon: IconX },
  expired: { meaning: 'stop', icon: IconClock },
  cancelled: { meaning: 'plain', icon: IconBan },
} as const

export function ContractStatus({ state }: { readonly state: ContractState }) {
  const label = contract.fields.state.options?.find(({ value }) => value === state)?.label ?? ''
  return <StatusChip {...LOOKS[state]}>{label}</StatusChip>
}
