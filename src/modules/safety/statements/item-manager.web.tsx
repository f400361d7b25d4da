import '@mantine/core/styles/Switch.layer.css'
import { Button, Switch, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { useList, useSaveRecord } from '#web/api/resources.ts'
import { ListPager } from '#web/lists/list-pager.tsx'
import { SearchBox } from '#web/lists/search-box.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { EmptyState, ErrorState, LoadingRows, NoResults } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { loadRetireConfirmationText } from '../impact/retire-question.web.ts'
import css from '../library.module.css'
import {
  type LibraryItem,
  LibraryItemDialog,
  type LibraryItemDialogMode,
  type LibraryResource,
} from './item-dialog.web.tsx'
import { LibraryItemRow } from './item-row.web.tsx'
import { sortSelectionByTitle, toggleItem } from './selection.ts'
import { standardStatement, task } from './statement.ts'

const SIZE = 30

interface LibraryItemManagerProps {
  /** IRIs of the chosen items; if undefined, items can't be chosen. */
  readonly value?: readonly string[]
  /** Called with the chosen IRIs, sorted by title. */
  readonly onChange?: (value: string[]) => void
  readonly readOnly?: boolean
}

interface Props extends LibraryItemManagerProps {
  readonly resource: LibraryResource
  /** Plural noun for the items, such as "standard statements". */
  readonly things: string
  /** Singular noun for dialog titles. */
  readonly thing?: string
  /** True to show system templates when the list is first shown. */
  readonly withTemplates?: boolean
  /** Chosen items that are no longer in the library, as stored in the document. */
  readonly kept?: readonly LibraryItem[]
  /** Called after an item is created or edited. */
  readonly onChanged?: (item: LibraryItem) => void
  /** Further actions, shown beside the button that creates an item. */
  readonly more?: ReactNode
}

/**
 * The company's own library items and, if requested, the system templates. Chosen items are always shown, even if they
 * are templates or retired, because the document has its own copies.
 */
export function LibraryItemManager({
  resource,
  things,
  thing = 'Item',
  withTemplates = false,
  kept: keptItems = [],
  value,
  onChange,
  onChanged,
  more,
  readOnly = false,
}: Props) {
  const actor = useActor()
  const [templates, setTemplates] = useState(withTemplates)
  const [q, setQ] = useState('')
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<LibraryItemDialogMode>()
  const [shown, setShown] = useState<LibraryItemDialogMode>({ mode: 'new' })
  const [confirm, ask] = useConfirm()
  const save = useSaveRecord(resource as never)
  const list = useList(resource, {
    retired: false,
    q,
    page,
    itemsPerPage: SIZE,
    ...(templates ? {} : { client: actor.clientId }),
  })
  const asked = value?.filter((iri) => iri.startsWith(resource.url)) ?? []
  const chosen = useList(resource, { id: asked, itemsPerPage: 100 }, { enabled: asked.length > 0 })
  const rows = list.data?.['hydra:member'] as unknown as readonly LibraryItem[] | undefined
  const known = [
    ...((chosen.data?.['hydra:member'] ?? []) as unknown as readonly LibraryItem[]),
    ...(rows ?? []),
    ...keptItems,
  ]
  const kept = value?.flatMap((iri) => known.find((r) => r['@id'] === iri) ?? []) ?? []
  const offered = rows?.filter((r) => !value?.includes(r['@id']))

  const choose = (next: readonly string[], added?: LibraryItem) => {
    const titles = [...known, ...(added ? [added] : [])].map((r) => [r['@id'], r.title ?? ''] as const)
    onChange?.(sortSelectionByTitle(next, new Map(titles)))
  }
  const show = (next: LibraryItemDialogMode) => {
    setShown(next)
    setOpen(next)
  }
  const remove = async (item: LibraryItem) => {
    const sure = await ask({
      title: `Delete ${thing}`,
      question: [await loadRetireConfirmationText([item]), 'Are you sure you wish to delete this item?']
        .filter(Boolean)
        .join(' '),
      action: 'Delete',
      meaning: 'stop',
    })
    if (!sure) return
    try {
      await save.mutateAsync({ id: item.id, values: { retired: true } })
      toast.saved(`${item.title} deleted`)
      if (value?.includes(item['@id'])) choose(value.filter((v) => v !== item['@id']))
    } catch (e) {
      toast.failed(e, () => void remove(item))
    }
  }
  const row = (item: LibraryItem) => (
    <LibraryItemRow
      key={item.id}
      resource={resource}
      item={item}
      chosen={value ? value.includes(item['@id']) : undefined}
      onToggle={() => choose(toggleItem(value ?? [], item['@id']))}
      onOpen={show}
      onDelete={() => void remove(item)}
      readOnly={readOnly}
    />
  )
  return (
    <section aria-label={things}>
      {kept.length > 0 && (
        <>
          <Title order={2} size="h3" className={css.part}>{`Chosen (${kept.length})`}</Title>
          <ul className={css.items}>
            {[...kept].sort((a, b) => (a.title ?? '').localeCompare(b.title ?? '', 'en-GB')).map(row)}
          </ul>
        </>
      )}
      {!readOnly && (
        <>
          {kept.length > 0 && (
            <Title order={2} size="h3" className={css.part}>
              Available
            </Title>
          )}
          <div className={css.tools}>
            <SearchBox
              label={`Search ${things}`}
              value={q}
              keys={false}
              onChange={(next) => {
                setQ(next)
                setPage(1)
              }}
            />
            {actor.clientId !== 0 && (
              <Switch
                label="Show system templates"
                checked={templates}
                my="auto"
                onChange={(e) => {
                  setTemplates(e.currentTarget.checked)
                  setPage(1)
                }}
              />
            )}
            {can(actor, 'create', resource) && (
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => show({ mode: 'new' })}>
                New
              </Button>
            )}
            {more}
          </div>
          {list.isError ? (
            <ErrorState error={list.error} onRetry={() => void list.refetch()} />
          ) : !offered ? (
            <LoadingRows rows={4} height={64} />
          ) : offered.length > 0 ? (
            <ul className={css.items}>{offered.map(row)}</ul>
          ) : q ? (
            <NoResults onClear={() => setQ('')} />
          ) : (
            <EmptyState title={`No ${things} of your own${value ? ' to choose' : ''} yet`}>
              {templates ? undefined : 'Show the system templates to use or copy one.'}
            </EmptyState>
          )}
          {rows && (rows.length > 0 || page > 1) && (
            <ListPager
              page={page}
              size={SIZE}
              shown={rows.length}
              total={list.data?.['hydra:totalItems']}
              onPage={setPage}
            />
          )}
        </>
      )}
      <LibraryItemDialog
        resource={resource}
        thing={thing}
        open={open}
        shown={shown}
        onClose={() => setOpen(undefined)}
        onSaved={(item) => {
          onChanged?.(item)
          if (value && shown.mode !== 'edit') choose([...value, item['@id']], item)
        }}
      />
      {confirm}
    </section>
  )
}

/** List to manage the company's own standard statements or, if `value` is set, to choose a document's statements. */
export const StatementManager = (props: LibraryItemManagerProps) => (
  <LibraryItemManager resource={standardStatement} things="standard statements" {...props} />
)

/** List to manage the company's own tasks or, if `value` is set, to choose a document's tasks, sorted by title. */
export const TaskTable = (props: LibraryItemManagerProps) => (
  <LibraryItemManager resource={task} things="tasks" {...props} />
)
