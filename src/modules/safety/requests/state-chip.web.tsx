import {
  IconAlertTriangle,
  IconArchive,
  IconArrowBackUp,
  IconCheck,
  IconClock,
  IconEye,
  IconInbox,
} from '@tabler/icons-react'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { AWAITING_RAMS_STATES, type RamsRequest } from './rams-request.ts'

const CHIPS = {
  requested: { meaning: 'info', icon: IconClock, word: 'Requested' },
  opened: { meaning: 'info', icon: IconEye, word: 'Opened' },
  received: { meaning: 'attention', icon: IconInbox, word: 'Received' },
  accepted: { meaning: 'safe', icon: IconCheck, word: 'Accepted' },
  returned: { meaning: 'attention', icon: IconArrowBackUp, word: 'Returned' },
  withdrawn: { meaning: 'plain', icon: IconArchive, word: 'Withdrawn' },
} as const

interface Props {
  readonly request: Pick<RamsRequest, 'state' | 'due'>
  readonly today: string
}

/** Status of a RAMS request. The request is shown as late if no RAMS were received by the due date. */
export function RamsRequestStatusChip({ request: { state, due }, today }: Props) {
  const isLate = due < today && AWAITING_RAMS_STATES.some((one) => one === state)
  const { meaning, icon, word } = isLate
    ? { meaning: 'stop' as const, icon: IconAlertTriangle, word: 'Late' }
    : CHIPS[state]
  return (
    <StatusChip meaning={meaning} icon={icon}>
      {word}
    </StatusChip>
  )
}
