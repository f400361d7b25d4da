import { Button, Checkbox } from '@mantine/core'
import { IconCopy, IconEye, IconPencil, IconTrash } from '@tabler/icons-react'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { linkedRecordName } from '#web/forms/values.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { packIndustry } from '../industry.ts'
import css from '../library.module.css'
import {
  type LibraryItem,
  type LibraryItemDialogMode,
  type LibraryResource,
  libraryItemText,
} from './item-dialog.web.tsx'
import { splitRichText } from './paragraphs.ts'
import { isSystemTemplate, libraryOwnerOf } from './selection.ts'

interface Props {
  readonly resource: LibraryResource
  readonly item: LibraryItem
  /** True if the item is chosen; undefined if items can't be chosen. */
  readonly chosen: boolean | undefined
  readonly onToggle: () => void
  readonly onOpen: (open: LibraryItemDialogMode) => void
  readonly onDelete: () => void
  readonly readOnly: boolean
}

export function LibraryItemRow({ resource, item, chosen, onToggle, onOpen, onDelete, readOnly }: Props) {
  const actor = useActor()
  const own = !readOnly && can(actor, 'update', resource, { clientId: libraryOwnerOf(item) })
  const industry = linkedRecordName(packIndustry, item.industry)
  const title = item.title ?? ''
  return (
    <li className={css.item}>
      <div>
        {chosen === undefined ? (
          <div className={css.title}>{title}</div>
        ) : (
          <Checkbox label={title} checked={chosen} disabled={readOnly} onChange={onToggle} fw={600} />
        )}
        <p className={css.excerpt}>{splitRichText(libraryItemText(item)).join(' ')}</p>
        <div className={css.chips}>
          {isSystemTemplate(item) && <StatusChip meaning="info">Template</StatusChip>}
          {item.default === true && <StatusChip meaning="safe">Default</StatusChip>}
          {item.retired && <StatusChip>Deleted</StatusChip>}
          {industry && <StatusChip>{industry}</StatusChip>}
        </div>
      </div>
      <div className={css.buttons}>
        <Act icon={IconEye} word="View" of={title} onClick={() => onOpen({ mode: 'view', item })} />
        {own && <Act icon={IconPencil} word="Edit" of={title} onClick={() => onOpen({ mode: 'edit', item })} />}
        {!readOnly && can(actor, 'create', resource) && (
          <Act icon={IconCopy} word="Copy" of={title} onClick={() => onOpen({ mode: 'copy', item })} />
        )}
        {own && !item.retired && <Act icon={IconTrash} word="Delete" of={title} onClick={onDelete} />}
      </div>
    </li>
  )
}

interface ActProps {
  readonly icon: typeof IconEye
  readonly word: string
  readonly of: string
  readonly onClick: () => void
}

const Act = ({ icon: Picture, word, of, onClick }: ActProps) => (
  <Button
    size="compact-sm"
    variant="subtle"
    leftSection={<Picture size={14} aria-hidden />}
    aria-label={`${word} ${of}`}
    onClick={onClick}
  >
    {word}
  </Button>
)
