import { type Problem, problem } from './errors.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID, type Roles } from './roles.ts'

/** A client's access to a pack: none, read and export only, or full. */
export type PackState = 'none' | 'lapsed' | 'active'

/**
 * Codes of the packs, which are parts of the portal that are sold separately. All other data about packs is in the
 * database.
 */
export const PACKS = ['safety', 'employees', 'holidays', 'invoicing'] as const
export type Pack = (typeof PACKS)[number]

/** Packs that each give access to a part of the portal. A client needs one of them. */
export type PackChoice = Pack | readonly Pack[]

const PACK_NAMES: Readonly<Record<Pack, string>> = {
  safety: 'Health and safety',
  employees: 'Employees',
  holidays: 'Leave',
  invoicing: 'Invoicing',
}

/**
 * Status of a product for a client (portal specification, section 3). `retired` means that the status or the product is
 * retired.
 */
export interface ProductStatus {
  readonly status: number
  readonly retired: boolean
  readonly hasLapsed: boolean
}

/** Status of an active product (specification, section 9). */
export const ACTIVE_PRODUCT_STATUS = 1

/**
 * Returns a client's access to a product (specification, section 4). Access is full only if the product is assigned,
 * not retired, not lapsed, and has status 1. A lapsed product can be read and exported.
 */
export function packStateFromStatus(has: ProductStatus | undefined): PackState {
  if (!has || has.retired || has.status !== ACTIVE_PRODUCT_STATUS) return 'none'
  return has.hasLapsed ? 'lapsed' : 'active'
}

/** Returns a client's access to its products, by product code. Omits products that the client can't access. */
export const packStatesFromStatuses = (
  all: readonly (ProductStatus & { readonly code: string })[],
): Readonly<Record<string, 'active' | 'lapsed'>> =>
  Object.fromEntries(
    all.flatMap((one) => {
      const state = packStateFromStatus(one)
      return state === 'none' ? [] : [[one.code, state] as const]
    }),
  )

/** Returns the status to save for a given access. */
export const statusForPackState = (state: PackState): ProductStatus => ({
  status: state === 'none' ? 0 : ACTIVE_PRODUCT_STATUS,
  retired: false,
  hasLapsed: state === 'lapsed',
})

/** Returns the reason why a user can't use a pack; `undefined` if they can. */
export function getPackRejectionReason(actor: Actor, pack: PackChoice | undefined): string | undefined {
  const state = packState(actor, pack)
  if (!pack || state === 'active') return undefined
  const names = [pack].flat().map((one) => PACK_NAMES[one])
  return state === 'lapsed'
    ? `Your company’s ${names.join(' or ')} pack has lapsed. Its records can be read and exported, but not changed.`
    : `Your company does not have the ${names.join(' or ')} pack.`
}

/**
 * Returns the error for a pack that a user can't use. For a pack that they can use, returns a general permission error.
 */
export function createPackProblem(actor: Actor, pack: PackChoice | undefined): Problem {
  const state = packState(actor, pack)
  return problem.forbidden(
    getPackRejectionReason(actor, pack),
    state === 'none' ? 'pack_missing' : state === 'lapsed' ? 'pack_lapsed' : 'forbidden',
  )
}

/**
 * Returns a user's access to a pack, as used by the API, the navigation and the pages; the widest of their access to
 * several. Provider staff can access every pack.
 */
export function packState(actor: Actor | undefined, pack: PackChoice | undefined): PackState {
  if (!pack) return 'active'
  if (!actor) return 'none'
  if (actor.clientId === PROVIDER_CLIENT_ID || actor.kind) return 'active'
  const states = [pack].flat().map((one) => actor.packs?.[one] ?? 'none')
  return (['active', 'lapsed'] as const).find((state) => states.includes(state)) ?? 'none'
}

/** Areas of the portal, in the order of the navigation rail. */
export const PORTAL_AREAS = [
  'Home',
  'Sales',
  'Finance',
  'Figures',
  'E-mail',
  'Clients',
  'Documents',
  'Incidents',
  'People',
  'Files',
  'Invoicing',
  'Settings',
] as const
export type PortalArea = (typeof PORTAL_AREAS)[number]

/** A screen in the navigation. Declared once, for the server's list and for the page itself. */
export interface NavigationEntry {
  readonly path: string
  readonly title: string
  readonly area: PortalArea
  /** Name of an icon in the web client's `icons.ts`. */
  readonly icon: string
  /** Position in the area, from the top. */
  readonly order: number
  readonly allow: Roles
  readonly pack?: PackChoice
  /** True for a screen that describes the pack, and is shown only to clients without it. */
  readonly advert?: boolean
  /** Path of the screen that has this one as a tab. A tab has no entry of its own in the menu. */
  readonly tabOf?: string
}

/**
 * True if the navigation shows the screen to this user. Screens of a lapsed pack are shown, because their data can
 * still be read.
 */
export const isNavigationEntryShown = (
  actor: Actor | undefined,
  { allow, pack, advert = false }: Pick<NavigationEntry, 'allow' | 'pack' | 'advert'>,
): boolean => hasRole(actor, allow) && (packState(actor, pack) === 'none') === advert

/** Returns the screens that the navigation shows to this user, by area and position. */
export const navigationEntriesFor = <N extends NavigationEntry>(actor: Actor | undefined, all: readonly N[]): N[] =>
  all
    .filter((screen) => isNavigationEntryShown(actor, screen))
    .sort((a, b) => PORTAL_AREAS.indexOf(a.area) - PORTAL_AREAS.indexOf(b.area) || a.order - b.order)
