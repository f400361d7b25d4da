import { type Me, session } from '../../api/session.ts'
import { clearCache, readLastSession, writeLastSession } from '../cache-store.ts'
import { lastSignedInOwner, offlineOwnerOf, ownerKeyOf } from '../owner.ts'

const HOUR_MS = 3_600_000

/**
 * Stores the session that the server has confirmed, so that this device opens without a connection. Clears the cache if
 * another person was signed in before, or if nobody is.
 */
export async function storeLastSession(): Promise<void> {
  const state = session.get()
  if (state.kind === 'out') return void (await clearCache())
  if (state.kind !== 'in' || session.isPresumed() || offlineOwnerOf(state.me) === undefined) return
  const last = await readLastSession<Me>()
  if (last && ownerKeyOf(last.me) !== ownerKeyOf(state.me)) await clearCache()
  await writeLastSession({ me: state.me, at: Date.now() })
}

/**
 * Returns the person who last signed in on this device and whose session can't have expired. Otherwise clears the cache
 * and returns undefined.
 */
export async function readPresumablePerson(): Promise<Me | undefined> {
  const last = await readLastSession<Me>()
  if (
    last &&
    ownerKeyOf(last.me) === lastSignedInOwner.read() &&
    Date.now() <= last.at + last.me.sessionHours * HOUR_MS
  )
    return last.me
  await clearCache()
  return undefined
}
