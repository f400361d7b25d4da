import { hashKey, useQuery } from '@tanstack/react-query'
import { createContext, useMemo, useSyncExternalStore } from 'react'
import { ApiError } from '../api/client.ts'
import { type FetchedFile, fetchFile, saveToDisk } from '../api/file.ts'
import { session } from '../api/session.ts'
import { readCachedResponse } from '../offline/cache-store.ts'
import { offlineOwnerOf } from '../offline/owner.ts'

const MINUTE = 60_000

/** Returns the URL at which the reader may get an uploaded file's record, given its IRI; by default, the IRI itself. */
export const UploadUrlContext = createContext((iri: string): string => iri)

/**
 * Returns a store for the object URL of bytes, for `useSyncExternalStore`. The URL is revoked once no component uses
 * it.
 */
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

/** Returns the query for the bytes of a protected file. Pages that work offline store them on the device. */
export const fileQueryOptions = (path: string) => ({
  queryKey: ['file', path] as const,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => (await fetchFile(path, { signal })).bytes,
  staleTime: 5 * MINUTE,
  gcTime: 5 * MINUTE,
})

/** Fetches a file or, if the server can't be reached, reads it from this device. Throws an ApiError if neither works. */
export async function fetchOrReadFile(path: string, name: string): Promise<FetchedFile> {
  try {
    return await fetchFile(path)
  } catch (e) {
    const owner = offlineOwnerOf(session.me())
    if (!(e instanceof ApiError && e.status === 0) || owner === undefined) throw e
    const stored = await readCachedResponse(owner, hashKey(fileQueryOptions(path).queryKey), Date.now())
    if (!(stored?.data instanceof Blob)) throw e
    return { bytes: stored.data, name }
  }
}

/**
 * Returns the object URL of a protected file for `<img>`. The URL is `undefined` while the file is loading, if it could
 * not be loaded or if there is no file. It is revoked when the component is removed. The bytes are cached for a few
 * minutes.
 */
export function useFileUrl(path: string | null | undefined): { url: string | undefined; failed: boolean } {
  const file = useQuery({ ...fileQueryOptions(path ?? ''), enabled: !!path })
  const address = useMemo(() => addressOf(file.data), [file.data])
  const url = useSyncExternalStore(address.watch, address.read)
  return { url, failed: file.isError }
}

/** Downloads a file and saves it under the given name. Throws an ApiError if the download fails. */
export async function downloadFile(path: string, name: string): Promise<void> {
  saveToDisk((await fetchFile(path)).bytes, name)
}
