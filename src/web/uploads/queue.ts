import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { useActor } from '../api/me.ts'
import { randomKey } from '../forms/idempotency.ts'
import { sentence } from '../ui/say.ts'
import { type SentFile, sendFile, UPLOADED, type UploadedFile } from './send.ts'

/** A file on its way. One that failed stays, with why, until it is sent again or taken off. */
export interface Upload {
  readonly key: string
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'failed'
  /** 0 to 1. */
  readonly sent: number
  readonly why?: string | undefined
  /** Sending the same file once more may help. */
  readonly again?: boolean
}

/** Refusals that say nothing of the file: to sign in, or to come again in a moment. */
const PASSING = new Set([401, 429])

type Queued = Omit<Upload, 'state'> & { readonly folder: string | undefined }

interface Settings<F extends SentFile> {
  /** The address that takes them. */
  readonly to: string
  readonly folder?: string | undefined
  readonly onDone: (file: F) => void
}

/** Uploaded documents, of the actor's own client; `folder` is where those chosen from now on go. */
export function useUploads({ folder, onDone }: Omit<Settings<UploadedFile>, 'to'>) {
  const { clientId } = useActor()
  const queries = useQueryClient()
  return useSending<UploadedFile>({
    to: `/api/safety/uploads/${clientId}`,
    folder,
    onDone: (file) => {
      queries.setQueryData([UPLOADED, 'one', String(file.id)], file)
      onDone(file)
    },
  })
}

/** Sends chosen files one after the other. */
export function useSending<F extends SentFile>({ to, folder, onDone }: Settings<F>) {
  const [queue, setQueue] = useState<readonly Queued[]>([])
  const change = (key: string, to: Partial<Queued>) =>
    setQueue((all) => all.map((u) => (u.key === key ? { ...u, ...to } : u)))
  const remove = (key: string) => setQueue((all) => all.filter((u) => u.key !== key))

  // The first that has not failed is the one that is sent; taken off, it stops, and the next one's turn comes.
  const turn = queue.find((u) => u.why === undefined)
  const key = turn?.key
  const send = useEffectEvent((signal: AbortSignal) => {
    const { key, file, folder } = turn as Queued
    return sendFile<F>({
      to,
      file,
      folder,
      key,
      onProgress: (share) => change(key, { sent: share }),
      signal,
    })
  })
  const sent = useEffectEvent((of: string, file: F) => {
    onDone(file)
    remove(of)
  })
  const failed = useEffectEvent((of: string, e: unknown) => {
    const refused = e instanceof ApiError && e.status >= 400 && e.status < 500 && !PASSING.has(e.status)
    change(of, { why: sentence(e), again: !refused })
  })
  useEffect(() => {
    if (key === undefined) return
    const stop = new AbortController()
    send(stop.signal).then(
      (file) => sent(key, file),
      (e: unknown) => stop.signal.aborted || failed(key, e),
    )
    return () => stop.abort()
  }, [key])

  return {
    uploads: queue.map(
      (u): Upload => ({ ...u, state: u.why !== undefined ? 'failed' : u === turn ? 'sending' : 'waiting' }),
    ),
    add: (files: Iterable<File>) =>
      setQueue((all) => [...all, ...Array.from(files, (file) => ({ key: randomKey(), file, folder, sent: 0 }))]),
    /** Behind those that wait, so that the one that is on its way stays so. */
    retry: (key: string) =>
      setQueue((all) => [
        ...all.filter((u) => u.key !== key),
        ...all.filter((u) => u.key === key).map((u) => ({ ...u, sent: 0, why: undefined })),
      ]),
    remove,
  }
}
