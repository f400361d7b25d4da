import { problem } from '#kernel/errors.ts'
import { type Actor, PROVIDER, type Proof } from '#kernel/roles.ts'
import type { Config } from '#server/config.ts'

/** How long a proof of who somebody is counts for what is guarded. */
const PROOF_MINUTES = 10

/** Must somebody of this client have a second factor? */
export const isCompulsory = ({ secondFactor }: Pick<Config, 'secondFactor'>, clientId: number): boolean =>
  secondFactor === 'all' || (secondFactor === 'provider' && clientId === PROVIDER)

/** What a session was proved with: the password alone, or a second factor. */
export type ProvedBy = 'password' | 'factor'

/** When, with what, and by somebody who has a second factor or has not. */
export interface Proved {
  readonly factor: boolean
  /** Milliseconds since 1970. */
  readonly provedAt: number
  readonly provedBy: ProvedBy
}

/** SQL for the same of a session `s`. */
export const PROVED = `extract(epoch FROM s.proved_at)::float8 * 1000 AS "provedAt", s.proved_by AS "provedBy",
  has_second_factor(s.client_id, s.user_id) AS factor`

/** What somebody's proof is worth: of a second factor, a password proves nothing. */
export const proofOf = (
  config: Pick<Config, 'secondFactor'>,
  clientId: number,
  { factor, provedAt, provedBy }: Proved,
): Proof => ({
  kind: factor ? 'factor' : isCompulsory(config, clientId) ? 'missing' : 'none',
  until: factor && provedBy !== 'factor' ? 0 : provedAt + PROOF_MINUTES * 60_000,
})

const notProved = () => problem.forbidden('Please prove once more that it is you.', 'proof_required')

/**
 * Before somebody works as another person, and before accounts and roles are changed: whoever has a second factor must have given
 * it within the last minutes, whoever needs one must have set it up, and whoever has none must have given their password: a token
 * alone, however it was come by, gives nobody a lasting way in. The portal's own work proves nothing. Throws 403.
 */
export function requireProof({ proof }: Pick<Actor, 'proof'>): void {
  if (proof?.kind === 'missing')
    throw problem.forbidden(
      'Set up a second factor first: open “Sign-in and security” in your menu.',
      'second_factor_missing',
    )
  if (proof && proof.until < Date.now()) throw notProved()
}

/** Before somebody's own ways of signing in are changed: a password, or a second factor, within the last minutes. Throws 403. */
export function requireFreshProof({ proof }: Pick<Actor, 'proof'>): void {
  if (!proof || proof.until < Date.now()) throw notProved()
}
