import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { iriOf } from '#kernel/resource.ts'
import { ApiError, call } from '#web/api/client.ts'
import { randomKey } from '#web/forms/idempotency.ts'
import { keptValues } from '#web/forms/store/kept-values.ts'
import { sentence } from '#web/ui/say.ts'
import { isForLater, type Outgoing, readOutbox } from './outbox.ts'
import { useRefreshed } from './presented-data.web.ts'
import { presentedTalk } from './toolbox-talk.ts'

/** Milliseconds between two attempts to send what waits for the connection. */
const AGAIN = 5000

export type Sent = 'signed' | 'waiting'

/**
 * Sends signatures, and keeps what is drawn until the portal has it: what a connection lost is sent again by itself under the same
 * Idempotency-Key, after the page is opened anew too.
 */
export function useOutbox(id: number) {
  const kept = keptValues(`attendance ${id}`)
  const refreshed = useRefreshed()
  const [waiting, setWaiting] = useState<readonly Outgoing[]>(() => readOutbox(kept.read()))
  const sending = useRef(new Set<string>())
  const change = (next: (all: readonly Outgoing[]) => readonly Outgoing[]) => {
    // What another look at this page has put there stays.
    const all = next(readOutbox(kept.read()))
    if (all.length) kept.write({ waiting: all })
    else kept.forget()
    setWaiting(all)
  }
  const remove = (key: string) => change((all) => all.filter((one) => one.key !== key))

  const send = async ({ key, body }: Outgoing, byItself: boolean): Promise<Sent> => {
    if (sending.current.has(key)) return 'waiting'
    sending.current.add(key)
    try {
      await call<unknown>('POST', `${iriOf(presentedTalk, id)}/sign`, body, { idempotencyKey: key, byItself })
    } catch (e) {
      if (e instanceof ApiError && isForLater(e)) return 'waiting'
      throw e
    } finally {
      sending.current.delete(key)
    }
    remove(key)
    await refreshed()
    return 'signed'
  }

  const sendAll = useEffectEvent(async () => {
    for (const one of waiting) {
      if (one.refused) continue
      try {
        if ((await send(one, true)) === 'waiting') return
      } catch (e) {
        change((all) => all.map((o) => (o.key === one.key ? { ...o, refused: sentence(e) } : o)))
        await refreshed()
      }
    }
  })
  const isWaiting = waiting.some((one) => !one.refused)
  useEffect(() => {
    if (!isWaiting) return
    const again = () => void sendAll()
    addEventListener('online', again)
    const timer = setInterval(again, AGAIN)
    return () => {
      removeEventListener('online', again)
      clearInterval(timer)
    }
  }, [isWaiting])

  return {
    waiting,
    /** Sends one signature now. Throws what the portal refuses: then it is not kept, and can be put right where it was drawn. */
    sign: async (given: Omit<Outgoing, 'key'>): Promise<Sent> => {
      const one = { ...given, key: randomKey() }
      change((all) => [...all, one])
      try {
        return await send(one, false)
      } catch (e) {
        remove(one.key)
        await refreshed()
        throw e
      }
    },
    discard: remove,
  }
}

export type Outbox = ReturnType<typeof useOutbox>
