import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Me } from '../../api/session.ts'
import css from './bell.module.css'
import { inLittleRoom, useSummary } from './summary.ts'

const BellPanel = lazy(() => import('./bell-panel.tsx'))

/** What one should know of: how much of it is unread, and the way to it. The browser closes it as it does the menu beside it. */
export function Bell({ me }: { readonly me: Me }) {
  const { unread } = useSummary()
  const [open, setOpen] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const words = unread ? `${unread} unread` : ''
  return (
    <>
      <button
        type="button"
        className={css.bell}
        popoverTarget="notices"
        aria-expanded={open}
        aria-controls="notices"
        aria-label={words ? `Notices, ${words}` : 'Notices'}
      >
        <IconBell size={22} stroke={1.75} aria-hidden />
        <span className={css.count} data-count={inLittleRoom(unread) || undefined} aria-hidden="true" />
      </button>
      <span className={css.said} role="status">
        {words && `${words} ${unread === 1 ? 'notice' : 'notices'}`}
      </span>
      <div
        ref={panel}
        id="notices"
        popover="auto"
        role="dialog"
        aria-label="Notices"
        className={css.panel}
        onToggle={(e) => setOpen(e.newState === 'open')}
      >
        <Suspense>{open && <BellPanel me={me} close={() => panel.current?.hidePopover()} />}</Suspense>
      </div>
    </>
  )
}
