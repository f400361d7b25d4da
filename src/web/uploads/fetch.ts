import { useQuery } from '@tanstack/react-query'
import { createContext, useMemo, useSyncExternalStore } from 'react'
import { fetchFile, saveToDisk } from '../api/file.ts'

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

/**
 * Returns the object URL of a protected file for `<img>`. The URL is `undefined` while the file is loading, if it could
 * not be loaded or if there is no file. It is revoked when the component is removed. The bytes are cached for a few
 * minutes.
 */
export function useFileUrl(path: string | null | undefined): { url: string | undefined; failed: boolean } {
  const file = useQuery({
    queryKey: ['file', path],
    queryFn: async ({ signal }) => (await fetchFile(path ?? '', { signal })).bytes,
    enabled: !!path,
    staleTime: 5 * MINUTE,
    gcTime: 5 * MINUTE,
    // The bytes of a file are not written to the persistent cache.
    meta: { persist: false },
  })
  const address = useMemo(() => addressOf(file.data), [file.data])
  const url = useSyncExternalStore(address.watch, address.read)
  return { url, failed: file.isError }
}

/** Downloads a file and saves it under the given name. Throws an ApiError if the download fails. */
export async function downloadFile(path: string, name: string): Promise<void> {
  saveToDisk((await fetchFile(path)).bytes, name)
}
