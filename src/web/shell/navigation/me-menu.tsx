import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import {
  IconBriefcase,
  IconHelp,
  IconKeyboard,
  IconLogout,
  IconProgress,
  IconShieldLock,
  IconUser,
} from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { holds } from '#kernel/roles.ts'
import { actorOf, type Me } from '../../api/session.ts'
import { signOut } from '../../api/signing.ts'
import { openDialog, workAs } from './dialogs.ts'
import meCss from './me-menu.module.css'
import railCss from './rail.module.css'

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'As device' },
] as const

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((w) => w.charAt(0))
    .slice(0, 2)
    .join('')
    .toUpperCase()

export const mayWorkAs = (me: Me) => !me.isImpersonating && holds(actorOf(me), 'ROLE_STAFF')

/** Me: who I am here, how the portal looks, and the way out. The browser's own popover closes it on Escape and on a click elsewhere. */
export function MeMenu({ me }: { me: Me }) {
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [open, setOpen] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const close = () => panel.current?.hidePopover()
  const then = (run: () => void) => () => {
    close()
    run()
  }
  return (
    <>
      <button
        type="button"
        className={meCss.me}
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
        className={meCss.menu}
        onToggle={(e) => setOpen(e.newState === 'open')}
      >
        <p className={meCss.who}>
          <strong>{me.name}</strong>
          <br />
          {me.username}, {me.client.company}
        </p>
        <Link className={railCss.link} to="/profile" onClick={close}>
          <IconUser size={18} aria-hidden />
          My profile
        </Link>
        <Link className={railCss.link} to="/profile/security" onClick={close}>
          <IconShieldLock size={18} aria-hidden />
          Sign-in and security
        </Link>
        <Link className={railCss.link} to="/profile/long-work" onClick={close}>
          <IconProgress size={18} aria-hidden />
          Long work
        </Link>
        {mayWorkAs(me) && (
          <button type="button" className={railCss.link} onClick={then(() => workAs())}>
            <IconBriefcase size={18} aria-hidden />
            Work as a client…
          </button>
        )}
        <button type="button" className={railCss.link} onClick={then(() => openDialog({ name: 'shortcuts' }))}>
          <IconKeyboard size={18} aria-hidden />
          Keyboard shortcuts
        </button>
        <Link className={railCss.link} to="/help" onClick={close}>
          <IconHelp size={18} aria-hidden />
          Help
        </Link>
        <SegmentedControl
          my="xs"
          fullWidth
          data={[...SCHEMES]}
          value={colorScheme}
          onChange={setColorScheme}
          aria-label="Appearance"
        />
        <button type="button" className={railCss.link} onClick={then(() => void signOut(() => navigate('/')))}>
          <IconLogout size={18} aria-hidden />
          Sign out
        </button>
      </div>
    </>
  )
}
