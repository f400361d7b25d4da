import { PROVIDER } from '#kernel/roles.ts'
import { letter } from '#rooms/portal/mail/letter.ts'
import { makeResetLink } from '#server/auth/reset-links.ts'
import type { Tx } from '#server/db/db.ts'
import type { Engine } from '#server/engine/engine.ts'
import { putEvent } from '#server/engine/put-event.ts'

/** Minutes that a link works which somebody has asked for, and one that invites. */
const LASTS = { reset: 60, invite: 7 * 24 * 60 }

/** Whom a link is sent to. */
export interface Addressee {
  readonly clientId: number
  readonly userId: number
  readonly username: string
  readonly name: string
  readonly email: string
}

/** Puts a link that sets a password once into the person's e-mail. */
export async function sendLink(engine: Engine, tx: Tx, to: Addressee, kind: keyof typeof LASTS): Promise<void> {
  const { provider, publicUrl, host, port } = engine.config
  const token = await makeResetLink(tx, to, LASTS[kind])
  const link = `${publicUrl ?? `http://${host}:${port}`}/forgotten-my-password/${token}`
  const words =
    kind === 'reset'
      ? {
          subject: 'Set a new password',
          body: `Hello ${to.name},\n\nSomebody, we hope you, asked to set a new password for ${to.username}. This link works once, for one hour:\n\n${link}\n\nIf it was not you, do nothing: your password stays as it is.`,
        }
      : {
          subject: `Your sign-in for the ${provider} portal`,
          body: `Hello ${to.name},\n\nAn account has been made for you. Your username is ${to.username}${to.clientId === PROVIDER ? '' : ` and your client number ${to.clientId}`}. Choose your password with this link, within a week:\n\n${link}`,
        }
  await putEvent(engine, tx, to.clientId, letter, { to: to.email, ...words, confidential: true, template: kind })
}
