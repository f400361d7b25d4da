import { IconMenu2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { NamedIcon } from '../../ui/icons.ts'
import classes from './bottom-bar.module.css'
import { openShellDialog } from './dialogs.ts'
import type { AreaScreens } from './navigation.ts'

const PLACES = 4

/** Bottom bar on phones: the first areas, and a button that opens a sheet with all areas and screens. */
export const BottomBar = ({ areas, area }: { areas: readonly AreaScreens[]; area: AreaScreens | undefined }) => (
  <nav className={classes.bottom} aria-label="Areas" data-no-print>
    {areas.slice(0, PLACES).map((a) => {
      return (
        <Link key={a.area} className={classes.tab} to={a.screens[0]?.path ?? '/'} data-open={a.area === area?.area}>
          <NamedIcon name={a.icon} size={22} stroke={1.75} aria-hidden />
          {a.area}
        </Link>
      )
    })}
    <button
      type="button"
      className={classes.tab}
      onClick={() => openShellDialog({ name: 'all-screens' })}
      aria-haspopup="dialog"
    >
      <IconMenu2 size={22} stroke={1.75} aria-hidden />
      More
    </button>
  </nav>
)
