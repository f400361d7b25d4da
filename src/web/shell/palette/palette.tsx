import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useMe } from '../../api/me.ts'
import { useCloseOnBack } from '../../ui/opened/back.ts'
import { canWorkAs } from '../navigation/dialogs.ts'
import { type PaletteItem, usePaletteItems } from './choices.ts'
import classes from './palette.module.css'

/** Command palette: every screen, action and record from one field by typing, arrow keys and Enter. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const id = useId()
  const [query, setQuery] = useState('')
  const [asked] = useDebouncedValue(query.trim(), 200)
  /** Key of the selected row: it stays selected when new rows move it. */
  const [chosen, setChosen] = useState<string>()
  const { groups, searching } = usePaletteItems(query, asked, canWorkAs(me))
  const all = groups.flatMap((g) => g.choices)
  const current = Math.max(
    0,
    all.findIndex((c) => c.key === chosen),
  )
  const move = (to: number) => {
    const next = (to + all.length) % Math.max(1, all.length)
    setChosen(all[next]?.key)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  // Closes before the item runs, as that may open another dialog.
  const choose = (choice: PaletteItem | undefined) => {
    if (!choice) return
    onClose()
    choice.run()
  }
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.nativeEvent.isComposing) return
    const to = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      Home: e.ctrlKey ? 0 : undefined,
      End: e.ctrlKey ? all.length - 1 : undefined,
    }[e.key]
    if (to !== undefined) move(to)
    else if (e.key === 'Enter') choose(all[current])
    else return
    e.preventDefault()
  }
  useCloseOnBack(true, onClose)
  return (
    <Modal.Root opened onClose={onClose} size="lg" centered={false} yOffset="8vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search or go to" radius="lg">
        <div className={classes.field}>
          <IconSearch size={20} aria-hidden />
          <input
            data-autofocus
            // biome-ignore lint/a11y/noAutofocus: whoever opens it wants to type, and at once
            autoFocus
            role="combobox"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={all.length ? `${id}-${current}` : undefined}
            aria-autocomplete="list"
            aria-label="Search or go to"
            autoComplete="off"
            spellCheck={false}
            placeholder={canWorkAs(me) ? 'A screen, a lead, a quote, a client…' : 'A screen, a document…'}
            value={query}
            onChange={(e) => {
              setQuery(e.currentTarget.value)
              setChosen(undefined)
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <div id={`${id}-list`} role="listbox" aria-label="Results" className={classes.list}>
          {groups.map((g) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own
            <div key={g.label} role="group" aria-label={g.label}>
              <div className={classes.heading} aria-hidden="true">
                {g.label}
              </div>
              {g.choices.map((c) => {
                const n = all.indexOf(c)
                return (
                  // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field keeps the focus and has the keys
                  <div
                    key={c.key}
                    id={`${id}-${n}`}
                    role="option"
                    aria-selected={n === current}
                    className={classes.option}
                    onMouseMove={() => n !== current && setChosen(c.key)}
                    onClick={() => choose(c)}
                  >
                    <c.Icon size={20} stroke={1.75} aria-hidden />
                    <span className={classes.words}>
                      {c.label}
                      {c.detail && <small>{c.detail}</small>}
                    </span>
                  </div>
                )
              })}
            </div>
          ))}
        </div>
        <p className={classes.nothing} role="status">
          {all.length === 0 && (searching ? 'Searching…' : `Nothing matches “${query}”`)}
        </p>
      </Modal.Content>
    </Modal.Root>
  )
}
