import { Kbd } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Me } from '../../api/session.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { getInitials } from '../../ui/people/avatar.tsx'
import { TopBarPopover } from '../../ui/top-popover.tsx'
import { NotificationBell } from '../bell/bell.tsx'
import { usePage } from '../pages/known-pages.ts'
import { useCustomPageTitle } from '../pages/title.ts'
import { openShellDialog } from './dialogs.ts'
import css from './me-menu.module.css'
import type { AreaScreens, NavigationScreen, NavigationTab } from './navigation.ts'
import classes from './top-bar.module.css'

const MeChoices = lazyComponent(() => import('./me-choices.tsx'))

/** User menu: profile, appearance and sign-out. */
const UserMenu = ({ me }: { me: Me }) => (
  <TopBarPopover
    id="me-menu"
    label={`Me: ${me.name}`}
    face={<span className={css.me} aria-hidden="true" data-initials={getInitials(me.name)} />}
  >
    {(close) => <MeChoices me={me} close={close} />}
  </TopBarPopover>
)

const MOD = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

interface Props {
  readonly me: Me
  readonly area: AreaScreens | undefined
  readonly here: NavigationScreen | undefined
  readonly tab: NavigationTab | undefined
  /** Element that shows the connection status. */
  readonly connection: ReactNode
}

/** Top bar: breadcrumb, connection status, search, notifications and user menu. */
export function TopBar({ me, area, here, tab, connection }: Props) {
  const page = usePage()
  const own = useCustomPageTitle()
  const title = own ?? page?.title
  const at = tab !== undefined && tab.path === page?.path
  const parent = at ? (tab.path === here?.path ? undefined : here) : tab
  return (
    <header className={classes.top} data-no-print>
      <nav className={classes.crumbs} aria-label="Breadcrumb">
        <ol>
          {area && (
            <li className={classes.wide}>
              <Link to={area.screens[0]?.path ?? '/'}>{area.area}</Link>
            </li>
          )}
          {parent && (
            <li>
              <Link to={parent.path}>{parent.label}</Link>
            </li>
          )}
          <li aria-current="page">{at && !own ? tab.label : title}</li>
        </ol>
      </nav>
      {connection}
      <button
        type="button"
        className={classes.search}
        onClick={() => openShellDialog({ name: 'palette' })}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
      >
        <IconSearch size={18} aria-hidden />
        <span>Search or go to…</span>
        <Kbd size="xs" className={classes.wide} aria-hidden>
          {MOD} K
        </Kbd>
      </button>
      <NotificationBell me={me} />
      <UserMenu me={me} />
    </header>
  )
}
