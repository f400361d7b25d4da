import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type MouseEvent, useRef } from 'react'
import { Link } from 'react-router'
import { Relative } from '#web/dates/relative.tsx'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import { useShortcuts } from '#web/ui/shortcuts.ts'
import table from '#web/ui/table.module.css'
import { type Lead, leadName, prefetchLead } from '../contacts/data.web.ts'
import type { ListState, Sort } from '../contacts/list-state.web.ts'
import { DoNotCall, DueCell, ResultChip } from '../contacts/parts.web.tsx'
import css from './leads.module.css'

interface Props {
  readonly leads: readonly Lead[]
  readonly state: ListState
  readonly change: (change: Partial<ListState>) => void
  /** The address of a lead's screen. */
  readonly pathOf: (id: number) => string
  readonly open: (id: number) => void
  /** The rows are being replaced. */
  readonly stale: boolean
}

const COLUMNS: readonly { sort?: Sort; label: string; className: string | undefined }[] = [
  { sort: 'due', label: 'Due', className: css.due },
  { sort: 'company', label: 'Company', className: undefined },
  { sort: 'contact', label: 'Contact', className: css.wide },
  { label: 'Telephone', className: undefined },
  { label: 'Last result', className: undefined },
  { sort: 'owner', label: 'Owner', className: css.wide },
  { sort: 'age', label: 'Age', className: css.wide },
]

export function ListTable({ leads, state, change, pathOf, open, stale }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const queries = useQueryClient()
  const hovering = useRef<ReturnType<typeof setTimeout>>(undefined)
  const step = (by: 1 | -1) => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('[data-lead]') ?? [])]
    const at = links.findIndex((l) => l.closest('tr')?.contains(document.activeElement))
    const next = links[at < 0 ? (by > 0 ? 0 : -1) : at + by] ?? (by > 0 ? links.at(-1) : links[0])
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  useShortcuts([
    { keys: 'j', label: 'Next row', run: () => step(1) },
    { keys: 'k', label: 'Row before', run: () => step(-1) },
  ])
  const onKey = (e: KeyboardEvent) => {
    if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return
    e.preventDefault()
    step(e.key === 'ArrowDown' ? 1 : -1)
  }
  const onClick = (e: MouseEvent, id: number) => {
    if ((e.target as Element).closest('a, button') || getSelection()?.toString()) return
    open(id)
  }
  return (
    <table className={`${table.table} ${css.table}`} data-stale={stale || undefined} aria-busy={stale}>
      <thead>
        <tr>
          {COLUMNS.map((c) => (
            <Heading key={c.label} {...c} state={state} change={change} />
          ))}
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={onKey}>
        {leads.map((lead) => (
          <tr
            key={lead.id}
            onClick={(e) => onClick(e, lead.id)}
            onPointerEnter={() => {
              clearTimeout(hovering.current)
              hovering.current = setTimeout(() => prefetchLead(queries, lead.id), 80)
            }}
            onPointerLeave={() => clearTimeout(hovering.current)}
          >
            <td className={css.due}>
              <DueCell lead={lead} />
            </td>
            <th scope="row">
              <Link
                data-lead={lead.id}
                className={css.company}
                to={pathOf(lead.id)}
                onClick={(e) => {
                  if (e.metaKey || e.ctrlKey || e.shiftKey) return
                  e.preventDefault()
                  open(lead.id)
                }}
                onFocus={() => prefetchLead(queries, lead.id)}
              >
                {leadName(lead)}
              </Link>
              {lead.name && lead.companyName && <span className={css.beside}>{lead.name}</span>}
            </th>
            <td className={css.wide}>{lead.name || '—'}</td>
            <td>
              {lead.doNotCall ? (
                <DoNotCall number={lead.phone || lead.mobile} />
              ) : (
                <PhoneLink number={lead.phone || lead.mobile} who={leadName(lead)} />
              )}
            </td>
            <td>
              <ResultChip lead={lead} />
            </td>
            <td className={css.wide}>{lead.owner?.name ?? <span className={css.faint}>Unowned</span>}</td>
            <td className={css.wide}>
              <Relative at={lead.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface HeadingProps extends Pick<Props, 'state' | 'change'> {
  readonly sort?: Sort
  readonly label: string
  readonly className: string | undefined
}

function Heading({ sort, label, className, state, change }: HeadingProps) {
  const on = sort !== undefined && state.sort === sort
  const Arrow = state.desc ? IconChevronDown : IconChevronUp
  return (
    <th scope="col" className={className} aria-sort={on ? (state.desc ? 'descending' : 'ascending') : undefined}>
      {sort ? (
        <button type="button" className={css.sort} onClick={() => change({ sort, desc: on && !state.desc })}>
          {label}
          {on && <Arrow size={14} aria-hidden />}
        </button>
      ) : (
        label
      )}
    </th>
  )
}
