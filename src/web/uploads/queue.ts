import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { fileSizeProblem } from '#kernel/file-limit.ts'
import { ApiError } from '../api/client.ts'
import { createRandomKey } from '../api/idempotency.ts'
import { useActor, useMe } from '../api/me.ts'
import { session } from '../api/session.ts'
import {
  loadOfflineQueue,
  QUEUED_RESULT,
  type QueuedResult,
  sendOrQueue,
  useQueuedRequestsForUrl,
} from '../offline/outbox/outbox.ts'
import { ownerKeyOf } from '../offline/owner.ts'
import { errorSentence } from '../ui/toast.ts'
import { type StoredFile, sendFile, UPLOADS_URL, type UploadedFile } from './send.ts'

/** File being uploaded. A failed upload stays in the list, with the reason, until it is retried or removed. */
export interface FileUpload {
  readonly key: string
  readonly file: File
  /** Status of the upload. `kept`: queued on this device until there is a connection. */
  readonly state: 'waiting' | 'sending' | 'failed' | 'kept'
  /** Share that has been uploaded, from 0 to 1. */
  readonly sent: number
  readonly why?: string | undefined
  /** Whether a retry may succeed. */
  readonly again?: boolean
}

/** Status codes of failures that are not caused by the file. */
const TEMPORARY_STATUSES = new Set([401, 429])

type PendingUpload = Omit<FileUpload, 'state'> & { readonly folder: string | undefined }

const removeQueued = async (key: string) => (await loadOfflineQueue())?.remove(key)

interface Settings<F extends StoredFile> {
  /** URL to upload to. */
  readonly to: string
  readonly folder?: string | undefined
  /**
   * Name of the field on the page that the files belong to. Files queued offline appear in this field once they are
   * delivered.
   */
  readonly place?: string | undefined
  readonly onDone: (file: F) => void
}

/** Uploads documents of the actor's own client. Files chosen from now on are stored in `folder`. */
export function useDocumentUploads({ folder, place, onDone }: Omit<Settings<UploadedFile>, 'to'>) {
  const { clientId } = useActor()
  const queries = useQueryClient()
  return useFileUploads<UploadedFile>({
    to: `/api/safety/uploads/${clientId}`,
    folder,
    place,
    onDone: (file) => {
      queries.setQueryData([UPLOADS_URL, 'one', String(file.id)], file)
      onDone(file)
    },
  })
}

/** Uploads chosen files one after the other, or queues them while offline. */
export function useFileUploads<F extends StoredFile>({ to, folder, place, onDone }: Settings<F>) {
  const { fileLimit } = useMe()
  const address = place === undefined ? to : `${location.pathname} ${place}`
  const requests = useQueuedRequestsForUrl(address)
  const kept = requests.filter((p) => p.file && p.arrived === undefined)
  const [queue, setQueue] = useState<readonly PendingUpload[]>([])
  const change = (key: string, to: Partial<PendingUpload>) =>
    setQueue((all) => all.map((u) => (u.key === key ? { ...u, ...to } : u)))
  const isKept = (key: string) => kept.some((p) => p.key === key)
  const [takenOff] = useState(() => new Set<string>())
  const remove = (key: string) => setQueue((all) => all.filter((u) => u.key !== key))

  // The first file that has not failed is uploaded. Removing the file aborts its upload, and the next file follows.
  const turn = queue.find((u) => u.why === undefined)
  const key = turn?.key
  const send = useEffectEvent((signal: AbortSignal) => {
    const { key, file, folder } = turn as PendingUpload
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
          as: ownerKeyOf(session.me()),
        }),
    })
  })
  const sent = useEffectEvent((of: string, file: F | QueuedResult) => {
    if (file === QUEUED_RESULT) return remove(of)
    onDone(file)
    remove(of)
  })
  const failed = useEffectEvent((of: string, e: unknown) => {
    const refused = e instanceof ApiError && e.status >= 400 && e.status < 500 && !TEMPORARY_STATUSES.has(e.status)
    change(of, { why: errorSentence(e), again: !refused })
  })
  // A delivered file must be collected by only one page.
  const arrived = requests.find((p) => p.arrived !== undefined)
  useEffect(() => {
    if (!arrived) return
    void removeQueued(arrived.key).then((isMine) => isMine && sent(arrived.key, arrived.arrived as F))
  }, [arrived])
  useEffect(() => {
    if (key === undefined) return
    const stop = new AbortController()
    send(stop.signal).then(
      (file) => sent(key, file),
      (e: unknown) => stop.signal.aborted || failed(key, e),
    )
    // If the person leaves the page, the upload ends as if the connection were lost, so that the file is queued. If the
    // person removes the file, the upload is cancelled.
    return () =>
      stop.abort(takenOff.has(key) ? undefined : new ApiError(0, 'The page was closed before the upload finished.'))
  }, [key, takenOff])

  return {
    uploads: [
      ...kept.map(
        ({ key, file, refused }): FileUpload => ({
          key,
          file: file as File,
          state: refused ? 'failed' : 'kept',
          sent: 0,
          why: refused?.why,
          again: true,
        }),
      ),
      ...queue.map(
        (u): FileUpload => ({ ...u, state: u.why !== undefined ? 'failed' : u === turn ? 'sending' : 'waiting' }),
      ),
    ],
    /** The size is checked here first, because the server can't check it while the device is offline. */
    add: (files: Iterable<File>) =>
      setQueue((all) => [
        ...all,
        ...Array.from(files, (file) => {
          const why = fileSizeProblem(file, fileLimit)
          return { key: createRandomKey(), file, folder, sent: 0, why }
        }),
      ]),
    /**
     * Retries an upload. A queued request is sent now; any other file moves to the end of the queue, after the current
     * upload.
     */
    retry: (key: string) => {
      if (isKept(key)) return void loadOfflineQueue().then((k) => k?.send(key))
      setQueue((all) => [
        ...all.filter((u) => u.key !== key),
        ...all.filter((u) => u.key === key).map((u) => ({ ...u, sent: 0, why: undefined })),
      ])
    },
    remove: (key: string) => {
      if (isKept(key)) return void removeQueued(key)
      takenOff.add(key)
      remove(key)
    },
  }
}
