import { type NavigationEntry, navigationEntriesFor, PORTAL_AREAS, type PortalArea } from '#kernel/packs.ts'
import type { Actor } from '#kernel/roles.ts'
import type { IconName } from '../../ui/icons.ts'
import type { Page } from '../manifest/page.ts'

/** Screen as returned by `GET /api/portal/navigations`. */
export interface ApiScreen {
  readonly path: string
  readonly area: string
}

export interface NavigationTab {
  readonly path: string
  readonly label: string
}

export interface NavigationScreen extends NavigationTab {
  readonly icon: string
  /** Related lists on the same entry, the screen itself first; empty if it has none. */
  readonly tabs: readonly NavigationTab[]
}

export interface AreaScreens {
  readonly area: PortalArea
  readonly icon: string
  readonly screens: readonly NavigationScreen[]
}

const ICONS: Readonly<Record<PortalArea, IconName>> = {
  Home: 'home',
  Sales: 'phone',
  Finance: 'money',
  Figures: 'chart',
  'E-mail': 'mail',
  Clients: 'building',
  Documents: 'shield',
  Incidents: 'alert',
  Files: 'folder',
  People: 'users',
  Invoicing: 'receipt',
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
    screens: groupTabs(screens.filter((s) => s.area === area)),
  })).filter((a) => a.screens.length > 0)
}

/**
 * Groups screens with their tabs. If the user may not open a group's own screen, its first tab takes the entry in the
 * menu.
 */
const groupTabs = (screens: readonly NavigationEntry[]): NavigationScreen[] =>
  [...Map.groupBy(screens, ({ path, tabOf }) => tabOf ?? path)].map(([main, all]) => {
    const sorted = all.toSorted((a, b) => Number(b.path === main) - Number(a.path === main))
    const tabs = sorted.map(({ path, title }): NavigationTab => ({ path, label: title }))
    const { path, title, icon } = sorted[0] as NavigationEntry
    return { path, label: title, icon, tabs: tabs.length > 1 ? tabs : [] }
  })

/**
 * Returns the screen to mark for a URL, and the tab of it: the screen named by the page (`Page.under`), the screen at that path, or the
 * most specific screen whose path is a prefix of that path.
 */
export function findScreenAt(
  areas: readonly AreaScreens[],
  pathname: string,
  under?: string,
): { area: AreaScreens; screen: NavigationScreen; tab: NavigationTab } | undefined {
  const all = areas.flatMap((area) =>
    area.screens.flatMap((screen) =>
      (screen.tabs.length ? screen.tabs : [screen]).map((tab) => ({ area, screen, tab })),
    ),
  )
  const named = all.find(({ tab }) => tab.path === under)
  const within = (path: string) => pathname === path || pathname.startsWith(`${path}/`)
  return named ?? all.filter(({ tab }) => within(tab.path)).sort((a, b) => b.tab.path.length - a.tab.path.length)[0]
}

/**
 * Returns the area of a page: the area of the screen to mark. If there is none, returns the first area that has a
 * screen with the same first two path segments.
 */
export function findAreaAt(areas: readonly AreaScreens[], pathname: string, under?: string): AreaScreens | undefined {
  const folder = (path: string) => path.split('/', 3).slice(0, 3).join('/')
  return (
    findScreenAt(areas, pathname, under)?.area ??
    areas.find((a) => a.screens.some((s) => [s, ...s.tabs].some(({ path }) => folder(path) === folder(pathname))))
  )
}
