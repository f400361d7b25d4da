import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { sizeProblem } from '#kernel/file-limit.ts'
import { ApiError } from '../api/client.ts'
import { randomKey } from '../api/idempotency.ts'
import { useActor, useMe } from '../api/me.ts'
import { session } from '../api/session.ts'
import {
  findOfflineQueue,
  QUEUED,
  type QueuedOffline,
  sendOrQueue,
  useQueuedRequestsOf,
} from '../offline/outbox/outbox.ts'
import { ownerOf } from '../offline/owner.ts'
import { sentence } from '../ui/toast.ts'
import { type SentFile, sendFile, UPLOADED, type UploadedFile } from './send.ts'

/** A file on its way. One that failed stays, with why, until it is sent again or taken off. */
export interface Upload {
  readonly key: string
  readonly file: File
  /** `kept`: on this device until there is a connection. */
  readonly state: 'waiting' | 'sending' | 'failed' | 'kept'
  /** 0 to 1. */
  readonly sent: number
  readonly why?: string | undefined
  /** Sending the same file once more may help. */
  readonly again?: boolean
}

/** Refusals that say nothing of the file: to sign in, or to come again in a moment. */
const PASSING = new Set([401, 429])

type Queued = Omit<Upload, 'state'> & { readonly folder: string | undefined }

const removeKept = async (key: string) => (await findOfflineQueue())?.remove(key)

interface Settings<F extends SentFile> {
  /** The address that takes them. */
  readonly to: string
  readonly folder?: string | undefined
  /** Names, within the page, what the files are for: those that waited for a connection come back to it when they have arrived. */
  readonly place?: string | undefined
  readonly onDone: (file: F) => void
}

/** Uploaded documents, of the actor's own client; `folder` is where those chosen from now on go. */
export function useUploads({ folder, place, onDone }: Omit<Settings<UploadedFile>, 'to'>) {
  const { clientId } = useActor()
  const queries = useQueryClient()
  return useSending<UploadedFile>({
    to: `/api/safety/uploads/${clientId}`,
    folder,
    place,
    onDone: (file) => {
      queries.setQueryData([UPLOADED, 'one', String(file.id)], file)
      onDone(file)
    },
  })
}

/** Sends chosen files one after the other; without a connection they are kept on this device. */
export function useSending<F extends SentFile>({ to, folder, place, onDone }: Settings<F>) {
  const { fileLimit } = useMe()
  const address = place === undefined ? to : `${location.pathname} ${place}`
  const requests = useQueuedRequestsOf(address)
  const kept = requests.filter((p) => p.file && p.arrived === undefined)
  const [queue, setQueue] = useState<readonly Queued[]>([])
  const change = (key: string, to: Partial<Queued>) =>
    setQueue((all) => all.map((u) => (u.key === key ? { ...u, ...to } : u)))
  const isKept = (key: string) => kept.some((p) => p.key === key)
  const [takenOff] = useState(() => new Set<string>())
  const remove = (key: string) => setQueue((all) => all.filter((u) => u.key !== key))

  // The first that has not failed is the one that is sent; taken off, it stops, and the next one's turn comes.
  const turn = queue.find((u) => u.why === undefined)
  const key = turn?.key
  const send = useEffectEvent((signal: AbortSignal) => {
    const { key, file, folder } = turn as Queued
    return sendOrQueue<F>('POST', to, folder ? { folder } : {}, {
      idempotencyKey: key,
      file,
      collect: place !== undefined,
      description: {
        what: file.type.startsWith('image/') ? 'Picture' : 'File',
        of: file.name,
        at: location.pathname + location.search,
        about: [address],
      },
      by: () =>
        sendFile<F>({
          to,
          file,
          folder,
          key,
          onProgress: (share) => change(key, { sent: share }),
          signal,
          as: ownerOf(session.me()),
        }),
    })
  })
  const sent = useEffectEvent((of: string, file: F | QueuedOffline) => {
    if (file === QUEUED) return remove(of)
    onDone(file)
    remove(of)
  })
  const failed = useEffectEvent((of: string, e: unknown) => {
    const refused = e instanceof ApiError && e.status >= 400 && e.status < 500 && !PASSING.has(e.status)
    change(of, { why: sentence(e), again: !refused })
  })
  // What has arrived meanwhile is taken by one page only.
  const arrived = requests.find((p) => p.arrived !== undefined)
  useEffect(() => {
    if (!arrived) return
    void removeKept(arrived.key).then((isMine) => isMine && sent(arrived.key, arrived.arrived as F))
  }, [arrived])
  useEffect(() => {
    if (key === undefined) return
    const stop = new AbortController()
    send(stop.signal).then(
      (file) => sent(key, file),
      (e: unknown) => stop.signal.aborted || failed(key, e),
    )
    // Whoever goes elsewhere wants it sent all the same.
    return () => stop.abort(takenOff.has(key) ? undefined : new ApiError(0, 'Its page was left.'))
  }, [key, takenOff])

  return {
    uploads: [
      ...kept.map(
        ({ key, file, refused }): Upload => ({
          key,
          file: file as File,
          state: refused ? 'failed' : 'kept',
          sent: 0,
          why: refused?.why,
          again: true,
        }),
      ),
      ...queue.map(
        (u): Upload => ({ ...u, state: u.why !== undefined ? 'failed' : u === turn ? 'sending' : 'waiting' }),
      ),
    ],
    /** One that the portal would refuse is told so at once: without a connection nobody else would. */
    add: (files: Iterable<File>) =>
      setQueue((all) => [
        ...all,
        ...Array.from(files, (file) => {
          const why = sizeProblem(file, fileLimit)
          return { key: randomKey(), file, folder, sent: 0, why }
        }),
      ]),
    /** Behind those that wait, so that the one that is on its way stays so. */
    retry: (key: string) => {
      if (isKept(key)) return void findOfflineQueue().then((k) => k?.send(key))
      setQueue((all) => [
        ...all.filter((u) => u.key !== key),
        ...all.filter((u) => u.key === key).map((u) => ({ ...u, sent: 0, why: undefined })),
      ])
    },
    remove: (key: string) => {
      if (isKept(key)) return void removeKept(key)
      takenOff.add(key)
      remove(key)
    },
  }
}
