import { Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Shortcut } from '#web/ui/shortcut.tsx'
import { useShortcuts } from '#web/ui/shortcuts.ts'
import { staffOptions, wholeOptions } from '../contacts/data.web.ts'
import { DUE, type Due, type ListState } from '../contacts/list-state.web.ts'
import { businessType } from '../contacts/lookups.ts'
import css from './leads.module.css'

interface Props {
  readonly state: ListState
  readonly change: (change: Partial<ListState>, replace?: boolean) => void
}

/** What the list is narrowed by. */
export function ListToolbar({ state, change }: Props) {
  return (
    <search className={css.toolbar}>
      <Search q={state.q} change={change} />
      <Owner owner={state.owner} change={change} />
      <Select
        className={css.filter}
        aria-label="When due"
        placeholder="Due at any time"
        data={Object.entries(DUE).map(([value, label]) => ({ value, label }))}
        value={state.due || null}
        onChange={(v) => change({ due: (v ?? '') as Due | '' })}
        clearable
        clearButtonProps={{ 'aria-label': 'Due at any time' }}
      />
      <BusinessType type={state.type} change={change} />
    </search>
  )
}

/** Every word counts; a telephone number may be written in any way. */
function Search({ q, change }: { readonly q: string; readonly change: Props['change'] }) {
  const [typed, setTyped] = useState({ text: q, q })
  const input = useRef<HTMLInputElement>(null)
  if (typed.q !== q) setTyped({ text: typed.text.trim() === q ? typed.text : q, q })
  const send = useDebouncedCallback((text: string) => change({ q: text.trim() }, q !== ''), 250)
  useShortcuts([{ keys: '/', label: 'Search the leads', run: () => input.current?.select() }])
  return (
    <TextInput
      ref={input}
      className={css.search}
      type="search"
      aria-label="Search leads"
      aria-keyshortcuts="/"
      placeholder="Company, person, telephone, number, town"
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed.text ? undefined : <Shortcut keys="/" />}
      value={typed.text}
      onChange={(e) => {
        setTyped({ text: e.currentTarget.value, q })
        send(e.currentTarget.value)
      }}
      onKeyDown={(e) => {
        if (e.key === 'Enter') change({ q: typed.text.trim() }, q !== '')
        if (e.key === 'Escape' && !typed.text) e.currentTarget.blur()
      }}
    />
  )
}

function Owner({ owner, change }: { readonly owner: string; readonly change: Props['change'] }) {
  const everybody = useQuery(staffOptions).data?.['hydra:member'] ?? []
  const named = (tray: boolean) =>
    everybody.filter((s) => s.tray === tray).map((s) => ({ value: s.username ?? '', label: s.name ?? '' }))
  const known = ['all', 'mine', 'none'].includes(owner) || everybody.some((s) => s.username === owner)
  return (
    <Select
      className={css.filter}
      aria-label="Whose leads"
      data={[
        {
          group: 'Leads',
          items: [
            { value: 'all', label: 'Everybody’s leads' },
            { value: 'mine', label: 'My leads' },
            { value: 'none', label: 'Unowned leads' },
            ...(known ? [] : [{ value: owner, label: owner }]),
          ],
        },
        { group: 'Colleagues', items: named(false) },
        { group: 'Trays', items: named(true) },
      ]}
      value={owner}
      onChange={(v) => change({ owner: v ?? 'all' })}
      allowDeselect={false}
      searchable
    />
  )
}

function BusinessType({ type, change }: { readonly type: string; readonly change: Props['change'] }) {
  const [asked, setAsked] = useState(type !== '')
  const types = useQuery({ ...wholeOptions(businessType.url), enabled: asked })
  return (
    <Select
      className={css.filter}
      aria-label="Business type"
      placeholder="Any business type"
      data={(types.data?.['hydra:member'] ?? []).map((t) => ({ value: String(t.id), label: t.name }))}
      value={type || null}
      onChange={(v) => change({ type: v ?? '' })}
      onFocus={() => setAsked(true)}
      onPointerEnter={() => setAsked(true)}
      nothingFoundMessage={types.isPending ? 'Loading…' : 'No such business type'}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any business type' }}
    />
  )
}
