import { IconArchive, IconLock, IconPencil } from '@tabler/icons-react'
import { StatusChip } from '#web/ui/status-chip.tsx'

/** Status of a talk record: open, closed or deleted. */
export const PresentedTalkStatusChip = ({
  record,
}: {
  readonly record: { readonly complete: boolean; readonly retired: boolean }
}) =>
  record.retired ? (
    <StatusChip meaning="stop" icon={IconArchive}>
      Deleted
    </StatusChip>
  ) : record.complete ? (
    <StatusChip meaning="safe" icon={IconLock}>
      Closed
    </StatusChip>
  ) : (
    <StatusChip meaning="attention" icon={IconPencil}>
      Open
    </StatusChip>
  )
