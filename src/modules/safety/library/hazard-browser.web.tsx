import '@mantine/core/styles/Combobox.layer.css'
import { Button, Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { SearchBox } from '#web/lists/search-box.tsx'
import { KeyHint } from '#web/ui/keys/shortcut.tsx'
import { EmptyState, ErrorState, LoadingRows, NoResults } from '#web/ui/states.tsx'
import css from '../library.module.css'
import {
  type LibraryControl,
  type LibraryHazard,
  useIndustries,
  useLibraryGroups,
  useLibraryHazards,
} from './data.web.ts'
import { HazardDetail } from './hazard-detail.web.tsx'
import { HazardList } from './hazard-list.web.tsx'

/** Handler that adds a hazard and its selected controls to a document. */
export type AddHazardHandler = (hazard: LibraryHazard, controls: readonly LibraryControl[]) => void

interface Props {
  /** IRI of the document's industry, used as the initial filter. */
  readonly industry?: string | undefined
  /** IDs of hazards already in the document. */
  readonly exclude?: readonly number[]
  readonly onAdd?: AddHazardHandler | undefined
  readonly active: LibraryHazard | undefined
  readonly onActive: (hazard: LibraryHazard | undefined) => void
  readonly onEdit: () => void
  readonly onControl: (control: LibraryControl | undefined) => void
}

/** Hazards by group, and the active hazard's controls. Includes search, a filter and keyboard control. */
export function HazardBrowser({ exclude = [], onAdd, active, onActive, onEdit, onControl, ...given }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const [q, setQ] = useState('')
  const [industry, setIndustry] = useState<string | null>(given.industry ?? null)
  const [group, setGroup] = useState<string | null>(null)
  const [marked, setMarked] = useState<readonly LibraryHazard[]>([])
  const [chosen, setChosen] = useState<Readonly<Record<number, readonly LibraryControl[]>>>({})
  const [told, setTold] = useState('')
  const industries = useIndustries().data?.['hydra:member'] ?? []
  const groups = useLibraryGroups(null).data ?? []
  const list = useLibraryHazards({ industry, q })
  const hazards = list.data?.filter((h) => !exclude.includes(h.id) && (!group || String(h.group.id) === group))
  const current = active && (hazards?.find((h) => h.id === active.id) ?? (onAdd ? undefined : active))
  const adding = marked.length ? marked : current ? [current] : []

  const mark = (h: LibraryHazard) =>
    setMarked((all) => (all.some((m) => m.id === h.id) ? all.filter((m) => m.id !== h.id) : [...all, h]))
  const add = () => {
    if (!onAdd || !adding.length) return
    for (const h of adding) onAdd(h, chosen[h.id] ?? [])
    const ids = adding.map((h) => h.id)
    const last = hazards?.findIndex((h) => h.id === ids.at(-1)) ?? -1
    onActive(hazards?.slice(last + 1).find((h) => !ids.includes(h.id)))
    setMarked([])
    setTold(adding.length === 1 ? `${adding[0]?.name} added` : `${adding.length} hazards added`)
  }
  /** Moves focus from the search box to the list. */
  const onKeyDown = (e: KeyboardEvent) => {
    if (!(e.target instanceof HTMLInputElement) || e.target.type !== 'search' || e.key !== 'ArrowDown') return
    e.preventDefault()
    root.current?.querySelector<HTMLElement>('[data-hazards]')?.focus()
    if (!current && hazards?.[0]) onActive(hazards[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only forwards the arrow keys
    <div ref={root} onKeyDown={onKeyDown}>
      <div className={css.tools}>
        <SearchBox label="Search hazards" value={q} keys={false} onChange={setQ} />
        <Select
          label="Group"
          placeholder="All groups"
          data={groups.map((g) => ({ value: String(g.id), label: g.name }))}
          value={group}
          onChange={setGroup}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear group' }}
        />
        <Select
          label="Industry to list first"
          placeholder="Any industry"
          data={industries.map((i) => ({ value: i['@id'], label: i.name ?? '' }))}
          value={industry}
          onChange={setIndustry}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear industry' }}
        />
      </div>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !hazards ? (
        <LoadingRows rows={8} />
      ) : hazards.length === 0 ? (
        q || group ? (
          <NoResults
            onClear={() => {
              setQ('')
              setGroup(null)
            }}
          />
        ) : (
          <EmptyState title="All hazards are already in the document" />
        )
      ) : (
        <div className={css.browser}>
          <HazardList
            hazards={hazards}
            active={current}
            onActive={onActive}
            {...(onAdd ? { marked: marked.map((h) => h.id), onMark: mark, onEnter: add } : {})}
          />
          <HazardDetail
            hazard={current}
            {...(onAdd && current
              ? {
                  chosen: chosen[current.id] ?? [],
                  onChosen: (controls: readonly LibraryControl[]) => setChosen({ ...chosen, [current.id]: controls }),
                }
              : {})}
            onEdit={onEdit}
            onCopied={onActive}
            onControl={onControl}
          />
        </div>
      )}
      {onAdd && (
        <div className={css.foot}>
          <p className={css.told} role="status">
            {told || <KeyHint>Arrow keys move, Space selects several, Enter adds.</KeyHint>}
          </p>
          <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={!adding.length} onClick={add}>
            {marked.length > 1 ? `Add ${marked.length} hazards` : 'Add hazard'}
          </Button>
        </div>
      )}
    </div>
  )
}
