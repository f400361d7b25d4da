import type { FoundPart } from '#kernel/text.ts'
import { ensureChangesAllowed, READ_ONLY_MESSAGE } from '../api/changes.ts'
import { ApiError, OTHER_PERSON_SIGNED_IN_MESSAGE } from '../api/client.ts'
import { session } from '../api/session.ts'
import { ownerKeyOf } from '../offline/owner.ts'

/** Uploaded file of any type, as the API returns it. */
export interface StoredFile {
  readonly '@id': string
  readonly id: number
  readonly name: string
  readonly type: string
  /** Size in bytes. */
  readonly size: number
  readonly width: number | null
  readonly height: number | null
  readonly author: string
  readonly createdAt: string
  readonly retired: boolean
  readonly url: string
  readonly thumbnailUrl: string | null
}

export interface UploadedFile extends StoredFile {
  readonly label: string
  readonly folder: string | null
  /** Hexadecimal SHA-256 of the uploaded bytes. */
  readonly checksum: string
  readonly version: number
  /** Whether a newer version exists. */
  readonly replaced: boolean
  readonly restoredFrom: number | null
  /** Person who uploaded the first version of the document. */
  readonly keeper: string
  /** Last day of validity. */
  readonly expires: string | null
  readonly remindDays: number | null
  /** Reason for which the document was retired; empty for one in use. */
  readonly retireReason?: string
  /** Part of the file that matched a search; in lists only. */
  readonly found?: FoundPart | null
}

export const UPLOADS_URL = '/api/safety/uploaded_documents'

interface SendOptions {
  /** URL to upload to. */
  readonly to: string
  readonly file: File
  readonly folder?: string | undefined
  /** Idempotency key. */
  readonly key: string
  /** Called with the share that has been uploaded, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
  /** Owner of the upload. The file is never sent as another person. */
  readonly as: string
}

/**
 * Uploads one file using XMLHttpRequest, because `fetch` does not report upload progress. Throws an ApiError if the
 * upload fails.
 */
export async function sendFile<F extends StoredFile>(sending: SendOptions): Promise<F> {
  if (session.stale()) await session.renew().catch(() => false)
  if (sending.as !== ownerKeyOf(session.me()))
    throw new ApiError(401, OTHER_PERSON_SIGNED_IN_MESSAGE, [], 'sign_in_required')
  if (!(await ensureChangesAllowed())) throw new ApiError(403, READ_ONLY_MESSAGE, [], 'visit_read_only')
  try {
    return (await attempt(sending)) as F
  } catch (e) {
    if (!(e instanceof ApiError) || e.status !== 401) throw e
    if (await session.renew().catch(() => false)) return (await attempt(sending)) as F
    session.expired()
    throw e
  }
}

function attempt({ to, file, folder, key, onProgress, signal }: SendOptions): Promise<StoredFile> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<StoredFile>()
  const request = new XMLHttpRequest()
  request.open('POST', to)
  request.setRequestHeader('accept', 'application/ld+json')
  request.setRequestHeader('authorization', `Bearer ${session.token() ?? ''}`)
  request.setRequestHeader('idempotency-key', key)
  request.upload.onprogress = (e) => onProgress(e.total ? e.loaded / e.total : 0)
  request.onerror = () => reject(new ApiError(0, 'The connection was lost. Your file is still here; please try again.'))
  request.onabort = () => reject(signal.reason)
  request.onload = () => {
    const answer = parseAnswer(request.responseText)
    if (request.status === 201) return resolve(answer as unknown as StoredFile)
    const said = answer['hydra:description']
    reject(
      new ApiError(request.status, typeof said === 'string' ? said : 'Could not upload the file. Please try again.'),
    )
  }
  signal.addEventListener('abort', () => request.abort(), { once: true })
  const form = new FormData()
  if (folder) form.append('folder', folder)
  form.append('file', file)
  request.send(form)
  return promise
}

function parseAnswer(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}
