import { toText } from '#kernel/text.ts'
import { ApiError } from './client.ts'
import { session } from './session.ts'

export interface FetchedFile {
  readonly bytes: Blob
  /** File name from the server, if any. */
  readonly name: string | undefined
}

interface Options {
  readonly signal?: AbortSignal
  readonly accept?: string
  /** Error messages: `lost` for a lost connection, `refused` for an error response that has no message. */
  readonly lost?: string
  readonly refused?: string
}

/** Fetches a file as the signed-in person. Throws an ApiError if the request fails. */
export async function fetchFile(path: string, options: Options = {}): Promise<FetchedFile> {
  const { signal, accept, lost = 'The connection was lost. Please try again.' } = options
  if (session.stale()) await session.renew().catch(() => false)
  const ask = () =>
    fetch(path, {
      headers: { authorization: `Bearer ${session.token() ?? ''}`, ...(accept ? { accept } : {}) },
      ...(signal ? { signal } : {}),
    }).catch((e: unknown) => {
      throw signal?.aborted ? e : new ApiError(0, lost)
    })
  let response = await ask()
  if (response.status === 401 && (await session.renew().catch(() => false))) response = await ask()
  if (response.status === 401) session.expired()
  if (response.ok)
    return { bytes: await response.blob(), name: parseFileName(response.headers.get('content-disposition') ?? '') }
  const problem = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined
  throw new ApiError(
    response.status,
    toText(problem?.['hydra:description']) || (options.refused ?? 'The file could not be loaded. Please try again.'),
  )
}

/** Returns the decoded file name from a `Content-Disposition` header, or undefined if there is none. */
export function parseFileName(disposition: string): string | undefined {
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (coded) return decodeURIComponent(coded.trim())
  return /filename="?([^";]+)/i.exec(disposition)?.[1]
}

const MINUTE = 60_000

/** Saves bytes as a file with the given name on the person's device. */
export function saveToDisk(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), MINUTE)
}
