import { json, text } from '#kernel/fields.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { type RelyingParty, relyingParty } from '#server/second-factor/relying-party.ts'
import type { Proof } from './prove.server.ts'

/** One of these proves a user's identity. */
export const proofFields = {
  code: text({ default: '', label: 'Code of the authenticator app' }),
  recoveryCode: text({ default: '', label: 'Recovery code' }),
  passkey: json({ label: 'What the browser answers to the passkey’s challenge' }),
} as const

export const readProof = ({ code, recoveryCode, passkey }: Proof): Proof => ({ code, recoveryCode, passkey })

export const partyOf = (c: RouteContext): RelyingParty | undefined => relyingParty(c.engine.config, c.request.host)
