import { useQuery } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { fetchFile, keepFile } from '../api/file.ts'

const MINUTE = 60_000

/** An object URL for bytes, while a component is subscribed. */
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
 * An address for `<img>` of a protected file. It is revoked with the component; the bytes are cached for a few minutes.
 * `undefined` while loading, or where there is none.
 */
export function useFileUrl(path: string | null | undefined): { url: string | undefined; failed: boolean } {
  const file = useQuery({
    queryKey: ['file', path],
    queryFn: async ({ signal }) => (await fetchFile(path ?? '', { signal })).bytes,
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
  keepFile((await fetchFile(path)).bytes, name)
}
