import { findAccountOwner } from '#server/auth/accounts.ts'
import { type Account, lockAccount } from '#server/auth/credentials.ts'
import type { RequestOrigin } from '#server/auth/security-log.ts'
import type { AuditActor } from '#server/data/writing/audit-trace.ts'
import type { Tx } from '#server/db/db.ts'
import type { Engine } from '#server/engine/types.ts'
import { hasSecondFactor, readSecondFactors, removeSecondFactors } from '#server/second-factor/factors.ts'
import { recordFactorChange, type SecondFactorChange } from './change.server.ts'

/**
 * Removes a lost second factor with its recovery codes, and signs the user out everywhere. Recorded and notified by
 * e-mail. If a factor is compulsory, they set up a new one at the next sign-in. Returns false if there was none.
 */
export async function removeSecondFactor(
  engine: Engine,
  account: Account,
  by: { readonly who: AuditActor; readonly verb: SecondFactorChange; readonly from: RequestOrigin | undefined },
  first: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<boolean> {
  const taken = await engine.db.tx('system', async (tx) => {
    await lockAccount(tx, account)
    await first(tx)
    const person = await findAccountOwner(tx, account)
    if (!person || !hasSecondFactor(await readSecondFactors(tx, account))) return false
    await removeSecondFactors(tx, account)
    await recordFactorChange(engine, tx, person, by.verb, by.who, by.from)
    return true
  })
  if (!taken) return false
  engine.notifyCommit(new Set(['outbox']))
  engine.sessions.forgetPerson(account)
  return true
}
