import { useQuery } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { textOf } from '#kernel/text.ts'
import { ApiError } from '../api/client.ts'
import { session } from '../api/session.ts'

/** The bytes at an address of the API, asked for with the page's token. Throws an ApiError. */
async function fetchFile(path: string, signal?: AbortSignal): Promise<Blob> {
  if (session.stale()) await session.renew().catch(() => false)
  const ask = () =>
    fetch(path, {
      headers: { authorization: `Bearer ${session.token() ?? ''}` },
      ...(signal ? { signal } : {}),
    }).catch((e: unknown) => {
      throw signal?.aborted ? e : new ApiError(0, 'The connection was lost. Please try again.')
    })
  let response = await ask()
  if (response.status === 401 && (await session.renew().catch(() => false))) response = await ask()
  if (response.status === 401) session.expired()
  if (response.ok) return response.blob()
  const problem = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined
  throw new ApiError(
    response.status,
    textOf(problem?.['hydra:description']) || 'The file could not be loaded. Please try again.',
  )
}

const MINUTE = 60_000

/** The page's address of some bytes, from when a component begins to watch it until it ends. */
function addressOf(bytes: Blob | undefined) {
  let url: string | undefined
  return {
    read: () => url,
    watch: () => {
      const made = bytes && URL.createObjectURL(bytes)
      url = made
      return () => {
        url = undefined
        if (made) URL.revokeObjectURL(made)
      }
    },
  }
}

/**
 * An address for `<img>` of a file that only the page's token opens. It ends with the component; the bytes are remembered for a
 * few minutes. `undefined` while it loads, or where there is none.
 */
export function useFileUrl(path: string | null | undefined): { url: string | undefined; failed: boolean } {
  const file = useQuery({
    queryKey: ['file', path],
    queryFn: ({ signal }) => fetchFile(path ?? '', signal),
    enabled: !!path,
    staleTime: 5 * MINUTE,
    gcTime: 5 * MINUTE,
    // Bytes are not for the page's store of answers.
    meta: { persist: false },
  })
  const address = useMemo(() => addressOf(file.data), [file.data])
  const url = useSyncExternalStore(address.watch, address.read)
  return { url, failed: file.isError }
}

/** Saves a file to the person's own disk, under its name. Throws an ApiError. */
export async function saveFile(path: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await fetchFile(path))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), MINUTE)
}
