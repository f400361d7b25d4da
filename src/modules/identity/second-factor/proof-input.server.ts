import { json, text } from '#kernel/fields.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { type RelyingParty, relyingParty } from '#server/second-factor/relying-party.ts'
import type { Proof } from './prove.server.ts'

/** One of these proves a user's identity. */
export const proofFields = {
  code: text({ default: '', label: 'Authenticator code' }),
  recoveryCode: text({ default: '', label: 'Recovery code' }),
  passkey: json({ label: 'The browser’s response to the passkey challenge' }),
} as const

export const readProof = ({ code, recoveryCode, passkey }: Proof): Proof => ({ code, recoveryCode, passkey })

export const partyOf = (c: RouteContext): RelyingParty | undefined => relyingParty(c.engine.config, c.request.host)
