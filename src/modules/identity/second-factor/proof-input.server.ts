import { json, text } from '#kernel/fields.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { portalRelyingParty, type RelyingParty } from '#server/second-factor/relying-party.ts'
import type { IdentityProof } from './prove.server.ts'

/** One of these proves a user's identity. */
export const proofFields = {
  code: text({ default: '', label: 'Authenticator code' }),
  recoveryCode: text({ default: '', label: 'Recovery code' }),
  passkey: json({ label: 'The browser’s response to the passkey challenge' }),
} as const

export const readProof = ({ code, recoveryCode, passkey }: IdentityProof): IdentityProof => ({
  code,
  recoveryCode,
  passkey,
})

export const relyingPartyOf = (c: RouteContext): RelyingParty | undefined =>
  portalRelyingParty(c.engine.config, c.request.host)
