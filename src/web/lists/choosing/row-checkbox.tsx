import { useEffect, useRef } from 'react'
import css from './row-checkbox.module.css'
import type { RowSelection } from './use-selection.ts'

interface RowProps {
  readonly name: string
  readonly checked: boolean
  readonly onToggle: (range: boolean) => void
}

/** Checkbox of a row. A click with Shift selects all rows from the previously selected row to this row. */
export const SelectRowCheckbox = ({ name, checked, onToggle }: RowProps) => (
  <Tick label={`Select ${name}`} checked={checked} onToggle={onToggle} />
)

/** Checkbox that selects or deselects all rows of the page. */
export const SelectPageCheckbox = ({ chosen }: { readonly chosen: RowSelection<unknown> }) => (
  <Tick
    label="Select all on this page"
    checked={chosen.page === 'all'}
    some={chosen.page === 'some'}
    onToggle={chosen.togglePage}
  />
)

interface TickProps {
  readonly label: string
  readonly checked: boolean
  readonly some?: boolean
  readonly onToggle: (range: boolean) => void
}

/**
 * Checkbox that can be clicked anywhere in its cell. It is a native input for speed, because every row has a checkbox.
 */
function Tick({ label, checked, some = false, onToggle }: TickProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return (
    <label className={css.tick}>
      <input
        ref={box}
        type="checkbox"
        className={css.box}
        aria-label={label}
        checked={checked}
        onChange={({ nativeEvent: e }) => onToggle(e instanceof MouseEvent && e.shiftKey)}
      />
    </label>
  )
}
