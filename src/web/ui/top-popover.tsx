import { type ReactNode, Suspense, useState } from 'react'
import css from './top-popover.module.css'

interface Props {
  readonly id: string
  /** Accessible name of the button. */
  readonly label: string
  /** Content of the button. */
  readonly face: ReactNode
  /** Renders the content of the panel below the button, while the panel is open. */
  readonly children: (close: () => void) => ReactNode
  readonly panelClass?: string | undefined
  /** Accessible name of the panel as a dialog, if the panel is not a menu. */
  readonly dialog?: string
}

/**
 * Round button at the end of the top bar, with a panel below it. The browser closes the panel when Escape is pressed or
 * when the person clicks elsewhere.
 */
export function TopBarPopover({ id, label, face, children, panelClass, dialog }: Props) {
  const [open, setOpen] = useState(false)
  const close = () => document.getElementById(id)?.hidePopover()
  return (
    <>
      <button
        type="button"
        className={css.face}
        popoverTarget={id}
        aria-expanded={open}
        aria-controls={id}
        aria-label={label}
      >
        {face}
      </button>
      <div
        id={id}
        popover="auto"
        {...(dialog ? { role: 'dialog', 'aria-label': dialog } : {})}
        className={`${css.panel} ${panelClass ?? ''}`}
        onToggle={(e) => setOpen(e.newState === 'open')}
      >
        <Suspense>{open && children(close)}</Suspense>
      </div>
    </>
  )
}
