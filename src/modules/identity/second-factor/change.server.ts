import { emailRequested, nameInEmail, PORTAL_NAME_PLACEHOLDER } from '#modules/portal/mail/letter.ts'
import type { AccountOwner } from '#server/auth/accounts.ts'
import type { RequestOrigin } from '#server/auth/security-log.ts'
import { type AuditActor, writeAuditTrace } from '#server/data/writing/audit-trace.ts'
import type { Tx } from '#server/db/db.ts'
import { putEvent } from '#server/engine/put-event.ts'
import type { Engine } from '#server/engine/types.ts'
import { user } from '../people/user.ts'

/** Changes of a second factor, as recorded in the audit trail. */
const WORDS = {
  'factor-app': 'An authenticator app was set up',
  'factor-app-removed': 'The authenticator app was removed',
  'factor-passkey': 'A passkey was added',
  'factor-passkey-removed': 'A passkey was removed',
  'factor-codes': 'New recovery codes were created',
  'factor-reset': 'The second factor was removed by the operator of the portal',
  'factor-taken-away': 'The second factor was removed by an administrator',
} as const

export type SecondFactorChange = keyof typeof WORDS

/**
 * Records a change of a user's second factor in the audit trail, visible to their administrators, and notifies the user
 * by e-mail: it may not have been them.
 */
export async function recordFactorChange(
  engine: Engine,
  tx: Tx,
  person: AccountOwner,
  verb: SecondFactorChange,
  by: AuditActor,
  from: RequestOrigin | undefined,
): Promise<void> {
  await writeAuditTrace(tx, by, {
    clientId: person.clientId,
    type: user.type,
    rowId: person.userId,
    verb,
    changes: {},
    requestId: from?.id ?? 'command line',
  })
  const isOwn = by.userId === person.userId || by.userId === 0
  if (isOwn) engine.security.note('second-factor', person, from, WORDS[verb])
  else
    engine.security.note(
      'second-factor',
      { ...by, clientId: person.clientId },
      from,
      `of ${person.username}: ${WORDS[verb]}`,
    )
  if (!person.email) return
  await putEvent(engine, tx, person.clientId, emailRequested, {
    to: person.email,
    subject: 'Your sign-in was changed',
    body: `Hello ${nameInEmail(person.name)},\n\n${WORDS[verb]}${isOwn ? '' : `, ${nameInEmail(by.name)}`}, for the account ${person.username} on the ${PORTAL_NAME_PLACEHOLDER} portal.\n\n${isOwn ? 'If this wasn’t you, set a new password now and contact your administrator.' : `If you did not ask for this, set a new password now and contact ${PORTAL_NAME_PLACEHOLDER}.`}`,
    template: 'second-factor',
  })
}
