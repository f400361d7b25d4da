import { IconCircleDashed, IconClockExclamation, IconLock, IconSearch, IconSend } from '@tabler/icons-react'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { type IncidentState, incidentFacts } from '../incident-facts.ts'

const LOOKS = {
  draft: { meaning: 'plain', icon: IconCircleDashed },
  reported: { meaning: 'attention', icon: IconSend },
  investigating: { meaning: 'info', icon: IconSearch },
  riddor: { meaning: 'stop', icon: IconClockExclamation },
  closed: { meaning: 'safe', icon: IconLock },
} as const

interface Props {
  readonly report: { readonly state: IncidentState; readonly retired: boolean }
}

export function IncidentStatus({ report: { state, retired } }: Props) {
  if (retired) return <StatusChip>Deleted</StatusChip>
  const label = incidentFacts.fields.state.options?.find(({ value }) => value === state)?.label ?? ''
  return <StatusChip {...LOOKS[state]}>{label}</StatusChip>
}
