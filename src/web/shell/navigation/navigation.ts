import { AREAS, type Area, navigationFor } from '#kernel/navigation.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Page } from '../manifest/page.ts'

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

const ICONS: Readonly<Record<Area, string>> = {
  Home: 'home',
  Sales: 'phone',
  Figures: 'chart',
  Mail: 'mail',
  Clients: 'clients',
  Safety: 'shield',
  People: 'users',
  Invoicing: 'money',
  Settings: 'settings',
}

/**
 * The rail's areas and their screens, for one person. What they may not open is left out; so is what the server
 * leaves out of an area that it lists.
 */
export function areasFor(
  pages: readonly Page[],
  actor: Actor | undefined,
  served: readonly Served[] = [],
): AreaScreens[] {
  const ofServer = new Set(served.map((s) => s.path))
  const listed = new Set(served.map((s) => s.area))
  const screens = navigationFor(
    actor,
    pages.flatMap((p) => p.nav ?? []),
  ).filter((s) => !listed.has(s.area) || ofServer.has(s.path))
  return AREAS.map((area) => ({
    area,
    icon: ICONS[area],
    screens: screens
      .filter((s) => s.area === area)
      .map((s): Screen => ({ path: s.path, label: s.title, icon: s.icon })),
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
