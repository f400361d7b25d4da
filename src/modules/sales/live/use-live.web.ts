import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { requestHeaders } from '#web/api/headers.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { session } from '#web/api/session.ts'
import { readStreamEvents } from '#web/shell/bell/events.ts'

/** Shortest and longest wait in milliseconds before reconnecting. */
const [SOON, LATE] = [2000, 30_000]
/** Milliseconds of silence after which a connection is treated as broken. Heartbeats are more frequent than that. */
const SILENCE = 70_000

/** Subscribes to live figures. `isLive` is true while connected, and undefined until the first data arrives. */
export function useLiveFigures<T>(url: string) {
  const client = useQueryClient()
  const [isLive, setLive] = useState<boolean>()
  const query = useQuery({ queryKey: [url], ...urlQueryOptions<T>(url), refetchOnMount: 'always' })
  useEffect(() => {
    const ending = new AbortController()
    const take = (figures: unknown) => {
      setLive(true)
      client.setQueryData([url], figures)
    }
    void follow(url, ending.signal, take, () => setLive(false))
    return () => ending.abort()
  }, [url, client])
  return { query, isLive }
}

/** Follows a stream and reconnects whenever the connection ends, until aborted. */
async function follow(url: string, signal: AbortSignal, take: (figures: unknown) => void, lost: () => void) {
  for (let wait = SOON; !signal.aborted; ) {
    const heard = await listen(url, signal, take)
    if (signal.aborted) return
    lost()
    wait = heard ? SOON : Math.min(2 * wait, LATE)
    await pause(wait * (0.5 + Math.random()), signal)
  }
}

/** Listens on one connection until it ends. Returns true if any data was received. */
async function listen(url: string, signal: AbortSignal, take: (figures: unknown) => void): Promise<boolean> {
  const quiet = new AbortController()
  let timer = setTimeout(() => quiet.abort(), SILENCE)
  let heard = false
  try {
    const answer = await fetch(url, {
      headers: { ...requestHeaders('GET', session.token()), accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, quiet.signal]),
    })
    if (!answer.ok || !answer.body) return false
    for await (const { event, data } of readStreamEvents(answer.body)) {
      clearTimeout(timer)
      timer = setTimeout(() => quiet.abort(), SILENCE)
      if (event !== 'figures') continue
      heard = true
      take(JSON.parse(data))
    }
  } catch {
    // Ignores the error from a broken connection, because the caller reconnects.
  } finally {
    clearTimeout(timer)
  }
  return heard
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
