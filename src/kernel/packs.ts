import { type Problem, problem } from './errors.ts'
import { type Actor, PROVIDER } from './roles.ts'

/** What a client has of a pack: nothing, reading and export only, or all of it. */
export type PackState = 'none' | 'lapsed' | 'active'

/** The parts of the portal that are sold by themselves (portal specification, section 5: appStatus). */
export const PACKS = ['safety'] as const
export type Pack = (typeof PACKS)[number]

/** What the packs are called. */
export const PACK_NAMES: Readonly<Record<Pack, string>> = { safety: 'Health and safety' }

/** The packs as the options of a field. */
export const PACK_OPTIONS = PACKS.map((pack) => ({ value: pack, label: PACK_NAMES[pack] }))

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

/** What a client has bought of a pack, as its own record says. */
export function boughtPack(
  client: { readonly packs: readonly string[]; readonly packsLapsed: readonly string[] },
  pack: Pack,
): PackState {
  if (client.packsLapsed.includes(pack)) return 'lapsed'
  return client.packs.includes(pack) ? 'active' : 'none'
}

/** A client's packs, with one of them in another state. */
export function withPack(
  client: { readonly packs: readonly string[]; readonly packsLapsed: readonly string[] },
  pack: Pack,
  state: PackState,
): { packs: string[]; packsLapsed: string[] } {
  const others = (all: readonly string[]) => all.filter((p) => p !== pack)
  return {
    packs: state === 'active' ? [...others(client.packs), pack] : others(client.packs),
    packsLapsed: state === 'lapsed' ? [...others(client.packsLapsed), pack] : others(client.packsLapsed),
  }
}
