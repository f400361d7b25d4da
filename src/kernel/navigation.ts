import { type Pack, packState } from './packs.ts'
import { type Actor, hasRole, type Roles } from './roles.ts'

/** The parts of the portal, as the rail shows them from the top. */
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

/** A screen in the navigation. Its area declares it once, for the list that the server gives and for the page itself. */
export interface Navigation {
  readonly path: string
  readonly title: string
  readonly area: Area
  /** A name of the web's `icons.ts`. */
  readonly icon: string
  /** Its place in the area, from the top. */
  readonly order: number
  readonly allow: Roles
  readonly pack?: Pack
}

/** Shows the navigation a screen to this person? A pack that has lapsed can still be read. */
export const isShown = (actor: Actor | undefined, { allow, pack }: Pick<Navigation, 'allow' | 'pack'>): boolean =>
  hasRole(actor, allow) && packState(actor, pack) !== 'none'

/** The screens that the navigation shows to this person, area by area and each from its top. */
export const navigationFor = <N extends Navigation>(actor: Actor | undefined, all: readonly N[]): N[] =>
  all
    .filter((screen) => isShown(actor, screen))
    .sort((a, b) => AREAS.indexOf(a.area) - AREAS.indexOf(b.area) || a.order - b.order)
