import { lazy, Suspense, useRef, useState } from 'react'
import type { Me } from '../../api/session.ts'
import { initials } from '../../ui/people/avatar.tsx'
import css from './me-menu.module.css'

const MeChoices = lazy(() => import('./me-choices.tsx'))

/** Me: who I am here, how the portal looks, and the way out. The browser's own popover closes it on Escape and on a click elsewhere. */
export function MeMenu({ me }: { me: Me }) {
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  return (
    <>
      <button
        type="button"
        className={css.me}
        popoverTarget="me-menu"
        aria-expanded={open}
        aria-controls="me-menu"
        aria-label={`Me: ${me.name}`}
      >
        <span aria-hidden="true" data-initials={initials(me.name)} />
      </button>
      <div
        ref={panel}
        id="me-menu"
        popover="auto"
        className={css.menu}
        onBeforeToggle={() => setWanted(true)}
        onToggle={(e) => setOpen(e.newState === 'open')}
      >
        <Suspense>{wanted && <MeChoices me={me} close={() => panel.current?.hidePopover()} />}</Suspense>
      </div>
    </>
  )
}
