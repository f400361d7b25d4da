import { Checkbox } from '@mantine/core'
import { type ChangeEvent, useId } from 'react'
import css from './row-checkbox.module.css'
import type { Chosen } from './use-chosen.ts'

interface Props {
  readonly id: string
  readonly name: string
  readonly chosen: Chosen<unknown>
}

/** Chooses a row; with Shift, all those between it and the one chosen before. */
export const RowCheckbox = ({ id, name, chosen }: Props) => (
  <Tick
    label={`Choose ${name}`}
    checked={chosen.has(id)}
    onChange={({ nativeEvent: e }) => chosen.toggle(id, e instanceof MouseEvent && e.shiftKey)}
  />
)

/** Chooses all rows of the page, or none. */
export const PageCheckbox = ({ chosen }: Pick<Props, 'chosen'>) => (
  <Tick
    label="Choose all on this page"
    checked={chosen.page === 'all'}
    indeterminate={chosen.page === 'some'}
    onChange={chosen.togglePage}
  />
)

interface TickProps {
  readonly label: string
  readonly checked: boolean
  readonly indeterminate?: boolean
  readonly onChange: (e: ChangeEvent<HTMLInputElement>) => void
}

/** A checkbox that fills its cell: what is around it is pressed as well. */
function Tick({ label, ...box }: TickProps) {
  const id = useId()
  return (
    <label className={css.tick} htmlFor={id}>
      <Checkbox {...box} id={id} aria-label={label} />
    </label>
  )
}
