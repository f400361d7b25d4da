import { type Actor, PROVIDER } from './roles.ts'

/** What a client has of a pack: nothing, reading and export only, or all of it. */
export type PackState = 'none' | 'lapsed' | 'active'

/** The parts of the portal that are sold by themselves (portal specification, section 5: appStatus). */
export const PACKS = ['safety'] as const
export type Pack = (typeof PACKS)[number]

const NAMES: Record<Pack, string> = { safety: 'Health and safety' }

/** Why a pack is closed to somebody, in a sentence; `undefined` where it is open to them. */
export function packRefusal(actor: Actor, pack: Pack | undefined): string | undefined {
  const state = packState(actor, pack)
  if (!pack || state === 'active') return undefined
  return state === 'lapsed'
    ? `Your company's ${NAMES[pack]} pack has lapsed. Its records can be read and exported, but not changed.`
    : `Your company does not have the ${NAMES[pack]} pack.`
}

/** One answer for the API, the navigation and a page: may this person's client use the pack? The provider has them all. */
export function packState(actor: Actor | undefined, pack: Pack | undefined): PackState {
  if (!pack) return 'active'
  if (!actor) return 'none'
  if (actor.clientId === PROVIDER || actor.kind) return 'active'
  return actor.packs?.[pack] ?? 'none'
}
