import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { LazyTrigger } from '#web/ui/lazy-trigger.tsx'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { type DocumentRecord, documentTitleOrUntitled } from '../types/record.web.ts'

const load = () => import('./row-menu.web.tsx')
const RowMenu = lazyComponent(load)

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
  /** True on the document's own page, which shows buttons for the other actions. */
  readonly opened?: boolean
}

export function DocumentRowActions({ parts, record, opened = false }: Props) {
  const button = (more: object) => (
    <ActionIcon
      variant={opened ? 'default' : 'subtle'}
      color="gray"
      size={36}
      aria-label={`Actions for ${record.documentNumber} ${documentTitleOrUntitled(parts.kind, record)}`}
      {...more}
    >
      <IconDots size={18} aria-hidden />
    </ActionIcon>
  )
  return (
    <LazyTrigger load={load} closed={button}>
      <RowMenu parts={parts} record={record} opened={opened} button={button} />
    </LazyTrigger>
  )
}
