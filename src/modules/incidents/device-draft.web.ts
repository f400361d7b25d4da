import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { draftStore } from '#web/offline/drafts.ts'

const NAME = 'report'

const fieldsOf = (value: object) => ({ [NAME]: { value, base: null, at: Date.now() } })

const readDraft = async (storeKey: string): Promise<unknown> => (await draftStore.read(storeKey))[NAME]?.value

/** Deletes a draft from this device. */
export async function removeDeviceDraft(storeKey: string): Promise<void> {
  const last = await readDraft(storeKey)
  if (last) await draftStore.remove(storeKey, { [NAME]: last })
}

/** Reads a draft stored on this device; `undefined` while it is being read, null if there is none. */
export const useStoredDraft = <T extends object>(
  storeKey: string,
  isDraft: (value: unknown) => value is T,
): T | null | undefined =>
  useQuery({
    queryKey: ['device draft', storeKey],
    queryFn: async () => {
      const stored = await readDraft(storeKey)
      return isDraft(stored) ? stored : null
    },
    gcTime: 0,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  }).data

/** Holds a draft, and stores each change on this device until the draft is finished. */
export function useDeviceDraft<T extends object>(storeKey: string, begin: () => T, hasInput: (draft: T) => boolean) {
  const [draft, setDraft] = useState(begin)
  const latest = useRef(draft)
  const isOver = useRef(false)
  const isWorthStoring = useRef(hasInput)
  useEffect(() => {
    const leave = () => {
      if (!isOver.current && isWorthStoring.current(latest.current))
        draftStore.writeNow(storeKey, fieldsOf(latest.current))
    }
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [storeKey])
  const change = (values: Partial<T> | ((now: T) => Partial<T>)) => {
    const next = { ...latest.current, ...(typeof values === 'function' ? values(latest.current) : values) }
    latest.current = next
    setDraft(next)
    if (!isOver.current) void draftStore.write(storeKey, fieldsOf(next))
  }
  /** Deletes the draft from this device, and starts another. */
  const restart = async (next: T) => {
    await removeDeviceDraft(storeKey)
    isOver.current = false
    latest.current = next
    setDraft(next)
  }
  /** Stops storing the draft, once it has been sent or queued, and deletes it from this device. */
  const finish = async () => {
    isOver.current = true
    await removeDeviceDraft(storeKey)
  }
  return { draft, change, restart, finish }
}
