import { PROVIDER } from '#kernel/roles.ts'
import { emailRequested, LINK_PLACEHOLDER, nameInEmail, PORTAL_NAME_PLACEHOLDER } from '#modules/portal/mail/letter.ts'
import type { AccountOwner } from '#server/auth/accounts.ts'
import { createResetLink, type ResetLinkKind, readLinkEpoch } from '#server/auth/reset-links.ts'
import type { Tx } from '#server/db/db.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { putEvent } from '#server/engine/put-event.ts'
import type { Engine } from '#server/engine/types.ts'

/** Validity in minutes of a requested link and of an invitation. */
const LASTS: Readonly<Record<ResetLinkKind, number>> = { reset: 60, invite: 7 * 24 * 60 }

/** Single-use link to set a password. */
export const passwordLink: SecretLink = {
  kind: 'password',
  make: async (engine, clientId, { userId, lasts, epoch }) => {
    const { publicUrl, host, port } = engine.config
    const kind: ResetLinkKind = lasts === 'invite' ? 'invite' : 'reset'
    const account = { clientId, userId: Number(userId), epoch: Number(epoch ?? 0) }
    const token = await engine.db.tx('system', (tx) => createResetLink(tx, account, kind, LASTS[kind]))
    return token && `${publicUrl ?? `http://${host}:${port}`}/forgotten-my-password/${token}`
  },
}

/** E-mails a single-use link that sets a password. */
export async function sendPasswordLink(engine: Engine, tx: Tx, to: AccountOwner, kind: ResetLinkKind): Promise<void> {
  const name = nameInEmail(to.name)
  const words =
    kind === 'reset'
      ? {
          subject: 'Set a new password',
          body: `Hello ${name},\n\nSomebody, hopefully you, asked to set a new password for ${to.username}. This link works once, for one hour:\n\n${LINK_PLACEHOLDER}\n\nIf it was not you, ignore this e-mail: your password stays as it is.`,
        }
      : {
          subject: `Your sign-in for the ${PORTAL_NAME_PLACEHOLDER} portal`,
          body: `Hello ${name},\n\nAn account has been created for you. Your username is ${to.username}${to.clientId === PROVIDER ? '' : ` and your client number ${to.clientId}`}. Choose your password with this link, within a week:\n\n${LINK_PLACEHOLDER}`,
        }
  const about = { userId: to.userId, lasts: kind, epoch: await readLinkEpoch(tx, to) }
  const link = { kind: passwordLink.kind, about }
  await putEvent(engine, tx, to.clientId, emailRequested, {
    to: to.email,
    ...words,
    confidential: true,
    template: kind,
    link,
  })
}
