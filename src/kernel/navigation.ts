import { type Pack, packState } from './packs.ts'
import { type Actor, hasRole, type Roles } from './roles.ts'

/** Areas of the portal, in the order of the navigation rail. */
export const AREAS = [
  'Home',
  'Sales',
  'Figures',
  'Mail',
  'Clients',
  'Safety',
  'People',
  'Invoicing',
  'Settings',
] as const
export type Area = (typeof AREAS)[number]

/** A screen in the navigation. Its area declares it once, for the server's list and for the page itself. */
export interface Navigation {
  readonly path: string
  readonly title: string
  readonly area: Area
  /** Icon name from the web's `icons.ts`. */
  readonly icon: string
  /** Position in the area, from the top. */
  readonly order: number
  readonly allow: Roles
  readonly pack?: Pack
}

/** True if the navigation shows the screen to this user. A lapsed pack can still be read. */
export const isShown = (actor: Actor | undefined, { allow, pack }: Pick<Navigation, 'allow' | 'pack'>): boolean =>
  hasRole(actor, allow) && packState(actor, pack) !== 'none'

/** Returns the screens that the navigation shows to this user, by area and position. */
export const navigationFor = <N extends Navigation>(actor: Actor | undefined, all: readonly N[]): N[] =>
  all
    .filter((screen) => isShown(actor, screen))
    .sort((a, b) => AREAS.indexOf(a.area) - AREAS.indexOf(b.area) || a.order - b.order)
