import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Link } from 'react-router'
import { NamedIcon } from '../../ui/icons.ts'
import { getInitials } from '../../ui/people/avatar.tsx'
import { formatShortCount, useNotificationSummary } from '../bell/summary.ts'
import { useBrandName, useProviderName } from '../pages/facts.ts'
import { ProductLogo } from '../pages/mark.tsx'
import type { AreaScreens, NavigationScreen, NavigationTab } from './navigation.ts'
import classes from './rail.module.css'

interface RailProps {
  readonly areas: readonly AreaScreens[]
  readonly area: AreaScreens | undefined
  readonly here: NavigationScreen | undefined
  readonly narrow: boolean
  readonly onNarrow: (narrow: boolean) => void
}

/** Link to a screen. If space is limited, the link has no visible label. */
export function ScreenLink({
  screen,
  here,
  icons,
  narrow = false,
  onGo,
}: {
  screen: NavigationScreen
  /** Path of the current screen. */
  here: string | undefined
  icons?: boolean
  narrow?: boolean
  onGo?: () => void
}) {
  return (
    <Link
      className={classes.link}
      to={screen.path}
      aria-current={here === screen.path ? 'page' : undefined}
      aria-label={narrow ? screen.label : undefined}
      title={narrow ? screen.label : undefined}
      onClick={onGo}
    >
      {icons && <NamedIcon name={screen.icon} size={18} stroke={1.75} aria-hidden />}
      {!narrow && screen.label}
    </Link>
  )
}

/** Tabs of the lists that share an entry in the menu. Not shown on phones, where the sheet of all screens has them. */
export const ListTabs = ({ tabs, here }: { readonly tabs: readonly NavigationTab[]; readonly here: string }) => (
  <nav className={classes.tabs} aria-label="Related lists" data-no-print>
    <ul>
      {tabs.map(({ path, label }) => (
        <li key={path}>
          <Link to={path} aria-current={path === here ? 'page' : undefined}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

/** Navigation rail: areas as icons with labels, and the open area's screens below it. */
export function NavigationRail({ areas, area, here, narrow, onNarrow }: RailProps) {
  const brand = useBrandName()
  const provider = useProviderName()
  const { waiting, waitsFor } = useNotificationSummary()
  return (
    <nav className={classes.rail} aria-label="Areas" data-no-print>
      <Link className={classes.brand} to="/dashboard" aria-label={`${brand || 'Portal'}, dashboard`}>
        {brand === provider ? (
          <ProductLogo />
        ) : (
          <span className={classes.monogram} aria-hidden="true" data-initials={getInitials(brand)} />
        )}
        {!narrow && brand}
      </Link>
      <ul className={`${classes.list} ${classes.areas}`}>
        {areas.map((a) => {
          const open = a.area === area?.area
          const [first] = a.screens
          const alone = a.screens.length === 1
          const waits = waiting[a.area]
          const name = waits ? `${a.area}, ${waitsFor[a.area] ?? `${waits} waiting`}` : a.area
          return (
            <li key={a.area}>
              <Link
                className={classes.link}
                to={first?.path ?? '/'}
                data-open={open}
                aria-current={alone && open && here ? 'page' : undefined}
                aria-label={narrow || waits ? name : undefined}
                data-waiting={formatShortCount(waits) || undefined}
                title={narrow || waits ? name : undefined}
              >
                <NamedIcon name={a.icon} size={22} stroke={1.75} aria-hidden />
                {!narrow && a.area}
              </Link>
              {open && !alone && (
                <ul className={`${classes.list} ${classes.nested}`} aria-label={a.area}>
                  {a.screens.map((s) => (
                    <li key={s.path}>
                      <ScreenLink screen={s} here={here?.path} icons narrow={narrow} />
                    </li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
      <div className={classes.foot}>
        <button
          type="button"
          className={classes.link}
          onClick={() => onNarrow(!narrow)}
          aria-label={narrow ? 'Expand the menu' : undefined}
          title={narrow ? 'Expand the menu' : undefined}
        >
          {narrow ? (
            <IconLayoutSidebarLeftExpand size={20} stroke={1.75} aria-hidden />
          ) : (
            <IconLayoutSidebarLeftCollapse size={20} stroke={1.75} aria-hidden />
          )}
          {!narrow && 'Collapse the menu'}
        </button>
      </div>
    </nav>
  )
}
