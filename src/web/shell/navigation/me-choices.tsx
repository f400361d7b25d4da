import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import {
  IconBriefcase,
  IconHelp,
  IconKeyboard,
  IconLogout,
  IconProgress,
  IconShieldLock,
  IconUser,
} from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Me } from '../../api/session.ts'
import { canWorkAsClientUser, openShellDialog, openWorkAsDialog } from './dialogs.ts'
import { signOutWithWarning } from './leave.ts'
import meCss from './me-menu.module.css'
import railCss from './rail.module.css'

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'Same as device' },
] as const

/**
 * Setting for the row height of tables on this device. `before-paint.js` also reads the setting, before the first
 * paint.
 */
function Rows() {
  const [density, keep] = useLocalStorage<(typeof DENSITIES)[number]['value']>({
    key: 'stanchion-density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
    serialize: (value) => value,
    deserialize: (value) => (value === 'compact' ? 'compact' : 'comfortable'),
  })
  useEffect(() => {
    document.documentElement.toggleAttribute('data-compact', density === 'compact')
  }, [density])
  return (
    <SegmentedControl mb="xs" fullWidth data={[...DENSITIES]} value={density} onChange={keep} aria-label="Row height" />
  )
}

export default function UserMenuItems({ me, close }: { readonly me: Me; readonly close: () => void }) {
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const then = (run: () => void) => () => {
    close()
    run()
  }
  return (
    <>
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
        Background jobs
      </Link>
      {canWorkAsClientUser(me) && (
        <button type="button" className={railCss.link} onClick={then(() => openWorkAsDialog())}>
          <IconBriefcase size={18} aria-hidden />
          Work as a client…
        </button>
      )}
      <button type="button" className={railCss.link} onClick={then(() => openShellDialog({ name: 'shortcuts' }))}>
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
      <Rows />
      <button type="button" className={railCss.link} onClick={then(() => signOutWithWarning(() => navigate('/')))}>
        <IconLogout size={18} aria-hidden />
        Sign out
      </button>
    </>
  )
}
