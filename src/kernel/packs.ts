import { type Problem, problem } from './errors.ts'
import { type Actor, PROVIDER } from './roles.ts'

/** What a client has of a pack: nothing, reading and export only, or all of it. */
export type PackState = 'none' | 'lapsed' | 'active'

/** The parts of the portal that are sold by themselves, as code names them; what else is said of them stands in rows. */
export const PACKS = ['safety', 'employees', 'invoicing'] as const
export type Pack = (typeof PACKS)[number]

/** What the packs are called. */
const PACK_NAMES: Readonly<Record<Pack, string>> = {
  safety: 'Health and safety',
  employees: 'Employees',
  invoicing: 'Invoicing',
}

/** Of a client and a product (portal specification, section 3): `retired` where either is. */
export interface AppStatus {
  readonly status: number
  readonly retired: boolean
  readonly hasLapsed: boolean
}

/** The status of a product that is active (specification, section 9). */
export const ACTIVE = 1

/**
 * What a client has of a product (specification, section 4): usable only if it is there, is not retired, has not lapsed, and has status 1.
 * What has lapsed can be read and exported.
 */
export function stateOf(has: AppStatus | undefined): PackState {
  if (!has || has.retired || has.status !== ACTIVE) return 'none'
  return has.hasLapsed ? 'lapsed' : 'active'
}

/** The same of all products of a client, by code, without those that are closed to it. */
export const statesOf = (
  all: readonly (AppStatus & { readonly code: string })[],
): Readonly<Record<string, 'active' | 'lapsed'>> =>
  Object.fromEntries(
    all.flatMap((one) => {
      const state = stateOf(one)
      return state === 'none' ? [] : [[one.code, state] as const]
    }),
  )

/** The way back: what is written so that a product is in a state. */
export const statusIn = (state: PackState): AppStatus => ({
  status: state === 'none' ? 0 : ACTIVE,
  retired: false,
  hasLapsed: state === 'lapsed',
})

/** Why a pack is closed to somebody, in a sentence; `undefined` where it is open to them. */
export function packRefusal(actor: Actor, pack: Pack | undefined): string | undefined {
  const state = packState(actor, pack)
  if (!pack || state === 'active') return undefined
  return state === 'lapsed'
    ? `Your company's ${PACK_NAMES[pack]} pack has lapsed. Its records can be read and exported, but not changed.`
    : `Your company does not have the ${PACK_NAMES[pack]} pack.`
}

/** The refusal of what belongs to a pack that is closed to somebody; that they have no permission, where it is open. */
export function closedPack(actor: Actor, pack: Pack | undefined): Problem {
  const state = packState(actor, pack)
  return problem.forbidden(
    packRefusal(actor, pack),
    state === 'none' ? 'pack_missing' : state === 'lapsed' ? 'pack_lapsed' : 'forbidden',
  )
}

/** One answer for the API, the navigation and a page: may this person's client use the pack? The provider has them all. */
export function packState(actor: Actor | undefined, pack: Pack | undefined): PackState {
  if (!pack) return 'active'
  if (!actor) return 'none'
  if (actor.clientId === PROVIDER || actor.kind) return 'active'
  return actor.packs?.[pack] ?? 'none'
}
