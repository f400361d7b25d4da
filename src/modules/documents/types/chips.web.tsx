import {
  IconArchive,
  IconArrowsExchange,
  IconCircleCheck,
  IconCircleX,
  IconFileDescription,
  IconHourglass,
  IconPencil,
} from '@tabler/icons-react'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import css from './documents.module.css'
import type { DocumentRecord } from './record.web.ts'
import { DOCUMENT_STATUS_LABELS, type DocumentState, toDocumentStatus } from './transitions.ts'

const LOOK: Readonly<Record<DocumentState, { readonly meaning: ColourMeaning; readonly icon: typeof IconPencil }>> = {
  draft: { meaning: 'plain', icon: IconPencil },
  complete: { meaning: 'attention', icon: IconHourglass },
  current: { meaning: 'safe', icon: IconCircleCheck },
  rejected: { meaning: 'stop', icon: IconCircleX },
  replaced: { meaning: 'plain', icon: IconArrowsExchange },
}

/** Status chips of a document with icons, labels and colours. A rejected document is not also shown as deleted. */
export function DocumentChips({
  record,
}: {
  readonly record: Pick<DocumentRecord, 'state' | 'retired' | 'isTemplate'>
}) {
  const { meaning, icon } = LOOK[record.state]
  const standing = toDocumentStatus(record)
  const deleted = standing !== record.state
  return (
    <span className={css.chips}>
      {deleted && (
        <StatusChip meaning="stop" icon={IconArchive}>
          {DOCUMENT_STATUS_LABELS[standing]}
        </StatusChip>
      )}
      {(!deleted || record.state === 'draft') && (
        <StatusChip meaning={deleted ? 'plain' : meaning} icon={icon}>
          {DOCUMENT_STATUS_LABELS[record.state]}
        </StatusChip>
      )}
      {record.isTemplate && (
        <StatusChip meaning="info" icon={IconFileDescription}>
          Template
        </StatusChip>
      )}
    </span>
  )
}
