import { problem } from '#kernel/errors.ts'
import { type Actor, type IdentityProof, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { Config } from '#server/config.ts'

/** Minutes for which a proof of identity allows protected changes. */
const PROOF_MINUTES = 10

/** True if users of this client must have a second factor. */
export const isSecondFactorRequired = ({ secondFactor }: Pick<Config, 'secondFactor'>, clientId: number): boolean =>
  secondFactor === 'all' || (secondFactor === 'provider' && clientId === PROVIDER_CLIENT_ID)

/** Method by which a session's user proved their identity: the password alone, or a second factor. */
export type ProofMethod = 'password' | 'factor'

/** Time and method of the latest proof of identity in a session, and whether the session's user has a second factor. */
export interface SessionProof {
  readonly factor: boolean
  /** Time of the proof, in milliseconds since 1970. */
  readonly provedAt: number
  readonly provedBy: ProofMethod
}

/** SQL columns of `SessionProof` for a session `s`. */
export const SESSION_PROOF_COLUMNS = `extract(epoch FROM s.proved_at)::float8 * 1000 AS "provedAt", s.proved_by AS "provedBy",
  has_second_factor(s.client_id, s.user_id) AS factor`

/** Evaluates a session's proof of identity. For users with a second factor, the password alone is not sufficient. */
export const evaluateProof = (
  config: Pick<Config, 'secondFactor'>,
  clientId: number,
  { factor, provedAt, provedBy }: SessionProof,
): IdentityProof => ({
  kind: factor ? 'factor' : isSecondFactorRequired(config, clientId) ? 'missing' : 'none',
  until: factor && provedBy !== 'factor' ? 0 : provedAt + PROOF_MINUTES * 60_000,
})

/** Returns when the actor last proved their identity with a second factor in this session, in milliseconds since 1970. */
export const secondFactorProvedAt = ({ proof }: Pick<Actor, 'proof'>): number | undefined =>
  proof?.kind === 'factor' && proof.until > 0 ? proof.until - PROOF_MINUTES * 60_000 : undefined

const notProved = () => problem.forbidden('Please confirm your identity again.', 'proof_required')

/**
 * Requires a recent proof of identity before impersonation and before changes to accounts and roles. Users prove their
 * identity with their second factor if they have one, by setting one up if it is required, or otherwise with their
 * password. A stolen token alone therefore never gives lasting access. The system needs no proof. Throws 403.
 */
export function requireAccessProof({ proof }: Pick<Actor, 'proof'>): void {
  if (proof?.kind === 'missing')
    throw problem.forbidden(
      'Set up a second factor first: open “Sign-in and security” in your menu.',
      'second_factor_missing',
    )
  if (proof && proof.until < Date.now()) throw notProved()
}

/**
 * Requires a recent proof of identity, by password or second factor, before users change their own sign-in details.
 * Throws 403.
 */
export function requireRecentProof({ proof }: Pick<Actor, 'proof'>): void {
  if (!proof || proof.until < Date.now()) throw notProved()
}
