import { packState } from '#kernel/packs.ts'
import { type Actor, holds } from '#kernel/roles.ts'
import type { Area, Page, PageNav } from '../pages/page.ts'

/** A screen as `GET /api/portal/navigations` gives it. */
export interface Served {
  readonly path: string
  readonly area: string
}

export interface Screen {
  readonly path: string
  readonly label: string
  readonly icon: string
}

export interface AreaScreens {
  readonly area: Area
  readonly icon: string
  readonly screens: readonly Screen[]
}

const AREAS: readonly { area: Area; icon: string }[] = [
  { area: 'Home', icon: 'home' },
  { area: 'Sales', icon: 'phone' },
  { area: 'Clients', icon: 'clients' },
  { area: 'Safety', icon: 'shield' },
  { area: 'People', icon: 'users' },
  { area: 'Settings', icon: 'settings' },
]

/** More screens than this stand in a column of their own beside the rail. */
export const FEW = 4

/**
 * The rail's areas and their screens, for one person. What the route table doesn't allow them is left out; so is what the
 * server leaves out of an area that it lists.
 */
export function areasFor(
  pages: readonly Page[],
  actor: Actor | undefined,
  served: readonly Served[] = [],
): AreaScreens[] {
  const ofServer = new Set(served.map((s) => s.path))
  const listed = new Set(served.map((s) => s.area))
  const shown = (p: Page): p is Page & { nav: PageNav } =>
    !!p.nav &&
    holds(actor, p.allow ?? 'member') &&
    packState(actor, p.pack) !== 'none' &&
    (!listed.has(p.nav.area) || ofServer.has(p.path))
  return AREAS.map(({ area, icon }) => ({
    area,
    icon,
    screens: pages
      .filter(shown)
      .filter((p) => p.nav.area === area)
      .sort((a, b) => a.nav.order - b.nav.order)
      .map((p) => ({ path: p.path, label: p.nav.label ?? p.title, icon: p.nav.icon })),
  })).filter((a) => a.screens.length > 0)
}

/**
 * The screen that an address belongs to: the one its page names (`Page.under`), itself, or the one whose folder it is in, most
 * precise first.
 */
export function screenAt(
  areas: readonly AreaScreens[],
  pathname: string,
  under?: string,
): { area: AreaScreens; screen: Screen } | undefined {
  const all = areas.flatMap((area) => area.screens.map((screen) => ({ area, screen })))
  const named = all.find(({ screen }) => screen.path === under)
  const within = (path: string) => pathname === path || pathname.startsWith(`${path}/`)
  return (
    named ??
    all.filter(({ screen }) => within(screen.path)).sort((a, b) => b.screen.path.length - a.screen.path.length)[0]
  )
}

/** The area of a page that is no screen of the rail: that of the screens it shares the first part of its address with. */
export function areaAt(areas: readonly AreaScreens[], pathname: string, under?: string): AreaScreens | undefined {
  const folder = (path: string) => path.split('/', 3).slice(0, 3).join('/')
  return (
    screenAt(areas, pathname, under)?.area ??
    areas.find((a) => a.screens.some((s) => folder(s.path) === folder(pathname)))
  )
}
