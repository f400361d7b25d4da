import { isSameValue } from '#kernel/forms/same.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { ApiError, call } from '../api/client.ts'
import { type Decision, readUnansweredDecisions } from '../api/decisions.ts'
import { toast } from '../ui/toast.ts'

/** Milliseconds: what was sent as the page went may still be on its way. */
const ARRIVING = [0, 1000, 2000]

/** Tells whoever left a page before the portal had answered what became of that: nothing of what was done, and of what was not with the way to it. */
export async function tellLeft(go: (to: string) => void): Promise<void> {
  const tell = async ({ decision, remove }: ReturnType<typeof readUnansweredDecisions>[number]) => {
    const why = await whyNot(decision)
    remove()
    if (why) toast.lost(`${decision.what} ${why}`, () => go(decision.at))
  }
  await Promise.all(readUnansweredDecisions().map(tell))
}

/** What became of it, where it is not as it was shown. */
async function whyNot(decision: Decision): Promise<string | undefined> {
  for (const pause of ARRIVING) {
    await new Promise((over) => setTimeout(over, pause))
    const now = await look(decision)
    if (now && isLike(now, decision.after)) return undefined
    if (!now || !isLike(now, decision.before))
      return 'was not answered before the page was left, and may not have been given.'
  }
  return 'was not given: the page was left before the portal had it.'
}

/** The record as it is by now; waits for a connection, and is nothing where it is not to be seen. */
async function look({ address }: Decision): Promise<Values | undefined> {
  for (;;)
    try {
      return await call<Values>('GET', address, undefined, { byItself: true })
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
