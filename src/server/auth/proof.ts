import { problem } from '#kernel/errors.ts'
import { type Actor, PROVIDER, type Proof } from '#kernel/roles.ts'
import type { Config } from '#server/config.ts'

/** How long a proof of who somebody is counts for what is guarded. */
const PROOF_MINUTES = 10

/** Must somebody of this client have a second factor? */
export const isCompulsory = ({ secondFactor }: Pick<Config, 'secondFactor'>, clientId: number): boolean =>
  secondFactor === 'all' || (secondFactor === 'provider' && clientId === PROVIDER)

/** What somebody's proof is worth who gave it at `provedAt` (milliseconds since 1970). */
export const proofOf = (
  config: Pick<Config, 'secondFactor'>,
  clientId: number,
  { factor, provedAt }: { readonly factor: boolean; readonly provedAt: number },
): Proof => ({
  kind: factor ? 'factor' : isCompulsory(config, clientId) ? 'missing' : 'none',
  until: provedAt + PROOF_MINUTES * 60_000,
})

const notProved = () => problem.forbidden('Please prove once more that it is you.', 'proof_required')

/**
 * Before somebody works as another person, and before other people's accounts are changed: whoever has a second factor must have
 * given it within the last minutes, and whoever needs one must have set it up. Throws 403.
 */
export function requireProof({ proof }: Pick<Actor, 'proof'>): void {
  if (proof?.kind === 'missing')
    throw problem.forbidden(
      'Set up a second factor first: open “Sign-in and security” in your menu.',
      'second_factor_missing',
    )
  if (proof?.kind === 'factor' && proof.until < Date.now()) throw notProved()
}

/** Before somebody's own ways of signing in are changed: a password, or a second factor, within the last minutes. Throws 403. */
export function requireFreshProof({ proof }: Pick<Actor, 'proof'>): void {
  if (!proof || proof.until < Date.now()) throw notProved()
}
