import { IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { StatusChip } from '#web/ui/status-chip.tsx'
import css from '../library.module.css'
import { isSystemTemplate } from '../statements/selection.ts'
import type { LibraryHazard } from './data.web.ts'

interface Props {
  readonly hazards: readonly LibraryHazard[]
  readonly active: LibraryHazard | undefined
  readonly onActive: (hazard: LibraryHazard) => void
  /** IDs of the hazards selected to be added together; if undefined, hazards can't be added. */
  readonly marked?: readonly number[]
  readonly onMark?: (hazard: LibraryHazard) => void
  /** Called on Enter or a double click. */
  readonly onEnter?: () => void
}

/** Hazards by group. Arrow keys move, Space selects, Enter adds. */
export function HazardList({ hazards, active, onActive, marked, onMark, onEnter }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const groups = [...new Map(hazards.map((h) => [h.group.id, h.group])).values()]
  const at = hazards.findIndex((h) => h.id === active?.id)
  const current = active?.id

  useEffect(() => {
    if (current !== undefined)
      list.current?.querySelector(`[data-hazard="${current}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const onKeyDown = (e: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: hazards.length - 1 }[e.key]
    const next = to === undefined ? undefined : hazards[Math.min(to, hazards.length - 1)]
    if (next) onActive(next)
    else if (e.key === ' ' && active && onMark) onMark(active)
    else if (e.key === 'Enter' && onEnter) onEnter()
    else return
    e.preventDefault()
  }
  return (
    <div
      ref={list}
      className={css.list}
      role="listbox"
      aria-label="Hazards"
      aria-multiselectable={onMark ? true : undefined}
      aria-activedescendant={active ? `${id}-${active.id}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      data-hazards
    >
      {groups.map((g) => (
        // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by role
        <div key={g.id} role="group" aria-labelledby={`${id}-g${g.id}`}>
          <div className={css.group} id={`${id}-g${g.id}`} role="presentation">
            {g.name}
          </div>
          {hazards
            .filter((h) => h.group.id === g.id)
            .map((h) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the listbox has the focus
              <div
                key={h.id}
                id={`${id}-${h.id}`}
                role="option"
                className={css.option}
                data-hazard={h.id}
                data-active={h.id === current || undefined}
                aria-selected={marked ? marked.includes(h.id) : h.id === current}
                onClick={() => onActive(h)}
                onDoubleClick={() => onEnter?.()}
              >
                <span className={css.mark}>
                  {marked?.includes(h.id) && <IconCheck size={18} stroke={3} aria-hidden />}
                </span>
                <span>{h.name}</span>
                <span>
                  {isSystemTemplate(h) ? (
                    h.fit === 'industry' && <StatusChip meaning="safe">Industry</StatusChip>
                  ) : (
                    <StatusChip meaning="info">Our own</StatusChip>
                  )}
                </span>
              </div>
            ))}
        </div>
      ))}
    </div>
  )
}
