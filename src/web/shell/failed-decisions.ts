import type { Values } from '#kernel/forms/visible.ts'
import { isSameValue } from '#kernel/forms/visible.ts'
import { ApiError, callApi } from '../api/client.ts'
import { type PendingDecision, readUnconfirmedDecisions } from '../api/decisions.ts'
import { toast } from '../ui/toast.ts'

/**
 * Delay before each check, in milliseconds. A request sent while the page was closing may not have reached the server
 * yet.
 */
const ARRIVING = [0, 1000, 2000]

/**
 * Checks the decisions that had no response when the page was closed. Reports only those that failed or could not be
 * confirmed, with a link to the record.
 */
export async function reportFailedDecisions(go: (to: string) => void): Promise<void> {
  const tell = async ({ decision, remove }: ReturnType<typeof readUnconfirmedDecisions>[number]) => {
    const why = await whyNot(decision)
    remove()
    if (why) toast.lost(`${decision.what} ${why}`, () => go(decision.at))
  }
  await Promise.all(readUnconfirmedDecisions().map(tell))
}

/** Returns the reason why the decision did not take effect as shown; undefined if it did. */
async function whyNot(decision: PendingDecision): Promise<string | undefined> {
  for (const pause of ARRIVING) {
    await new Promise((over) => setTimeout(over, pause))
    const now = await look(decision)
    if (now && isLike(now, decision.after)) return undefined
    if (!now || !isLike(now, decision.before))
      return 'was not confirmed before you left the page, and may not have been saved.'
  }
  return 'was not saved: you left the page before the portal received it.'
}

/**
 * Returns the current record, once there is a connection; undefined if the record can't be read, for example because
 * the user has no access.
 */
async function look({ address }: PendingDecision): Promise<Values | undefined> {
  for (;;)
    try {
      return await callApi<Values>('GET', address, undefined, { byItself: true })
    } catch (e) {
      if (!(e instanceof ApiError) || e.status !== 0) return undefined
      await new Promise((back) => {
        addEventListener('online', back, { once: true })
        setTimeout(back, 10_000)
      })
    }
}

const isLike = (now: Values, expected: Values) =>
  Object.entries(expected).every(([name, value]) => isSameValue(now[name], value))
