import { navigationEntriesFor, PORTAL_AREAS, type PortalArea } from '#kernel/packs.ts'
import type { Actor } from '#kernel/roles.ts'
import type { Page } from '../manifest/page.ts'

/** Screen as returned by `GET /api/portal/navigations`. */
export interface ApiScreen {
  readonly path: string
  readonly area: string
}

export interface NavigationScreen {
  readonly path: string
  readonly label: string
  readonly icon: string
}

export interface AreaScreens {
  readonly area: PortalArea
  readonly icon: string
  readonly screens: readonly NavigationScreen[]
}

const ICONS: Readonly<Record<PortalArea, string>> = {
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
 * Returns the areas and screens in the navigation rail for one user. Screens that the user may not open are omitted. If
 * the server lists an area, screens of that area that the server does not list are omitted too.
 */
export function areasFor(
  pages: readonly Page[],
  actor: Actor | undefined,
  served: readonly ApiScreen[] = [],
): AreaScreens[] {
  const ofServer = new Set(served.map((s) => s.path))
  const listed = new Set(served.map((s) => s.area))
  const screens = navigationEntriesFor(
    actor,
    pages.flatMap((p) => p.nav ?? []),
  ).filter((s) => !listed.has(s.area) || ofServer.has(s.path))
  return PORTAL_AREAS.map((area) => ({
    area,
    icon: ICONS[area],
    screens: screens
      .filter((s) => s.area === area)
      .map((s): NavigationScreen => ({ path: s.path, label: s.title, icon: s.icon })),
  })).filter((a) => a.screens.length > 0)
}

/**
 * Returns the screen to mark for a URL: the screen named by the page (`Page.under`), the screen at that path, or the
 * most specific screen whose path is a prefix of that path.
 */
export function screenAt(
  areas: readonly AreaScreens[],
  pathname: string,
  under?: string,
): { area: AreaScreens; screen: NavigationScreen } | undefined {
  const all = areas.flatMap((area) => area.screens.map((screen) => ({ area, screen })))
  const named = all.find(({ screen }) => screen.path === under)
  const within = (path: string) => pathname === path || pathname.startsWith(`${path}/`)
  return (
    named ??
    all.filter(({ screen }) => within(screen.path)).sort((a, b) => b.screen.path.length - a.screen.path.length)[0]
  )
}

/**
 * Returns the area of a page: the area of the screen to mark. If there is none, returns the first area that has a
 * screen with the same first two path segments.
 */
export function areaAt(areas: readonly AreaScreens[], pathname: string, under?: string): AreaScreens | undefined {
  const folder = (path: string) => path.split('/', 3).slice(0, 3).join('/')
  return (
    screenAt(areas, pathname, under)?.area ??
    areas.find((a) => a.screens.some((s) => folder(s.path) === folder(pathname)))
  )
}
