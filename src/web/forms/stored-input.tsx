import { Alert, Button, Text } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { session } from '../api/session.ts'
import type { StoredValue } from '../offline/browser-storage.ts'
import { inputStoredFor } from '../offline/owner.ts'

interface Stored<T> {
  readonly input?: T
  readonly etag?: string | null
}

/** Adds to a stored value whether this device has stored what was last written. */
function watchWrites<T>(stored: StoredValue<T>) {
  let kept = false
  const listeners = new Set<() => void>()
  return {
    read: stored.read,
    write: (value: T | undefined) => {
      const now = stored.write(value) && value !== undefined
      if (now === kept) return
      kept = now
      for (const listener of listeners) listener()
    },
    isKept: () => kept,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/**
 * State of an editor whose unsaved changes are stored under a name, so that nothing is lost on a reload, on Back, in a
 * closed tab or at the end of the session. `begin` returns the saved version, or the empty form. `etag` is the version
 * that the changes are based on.
 */
export function useStoredInput<T>(name: string, begin: () => T, etag: string | null = null) {
  const [stored] = useState(() => watchWrites(inputStoredFor<Stored<T>>(session.me(), name)))
  const [found, setFound] = useState<Stored<T>>(() => stored.read() ?? {})
  const [input, setInput] = useState<T>(() => found.input ?? begin())
  const [dirty, setDirty] = useState(found.input !== undefined)
  const kept = useSyncExternalStore(stored.subscribe, stored.isKept)
  const over = found.etag ?? etag
  useEffect(() => {
    stored.write(dirty ? { input, etag: over } : undefined)
  }, [stored, input, dirty, over])
  return {
    input,
    setInput,
    /** Changes the input, which is then unsaved. */
    change: (next: T | ((now: T) => T)) => {
      setInput(next)
      setDirty(true)
    },
    /** Whether there are unsaved changes. */
    dirty,
    /** Whether this device has stored the unsaved changes, so that they survive a closed tab. */
    kept,
    setDirty: (now: boolean) => {
      setDirty(now)
      if (!now) setFound({})
    },
    etag: over,
    /** Whether the changes were restored and are still unsaved. `outdated` if they are based on another version. */
    restored: describeRestored(found.input !== undefined && dirty, over === etag),
    /** Removes the stored changes at once, before the page closes. */
    discard: () => {
      stored.write(undefined)
      setFound({})
      setInput(begin())
      setDirty(false)
    },
  }
}

type Restored = 'current' | 'outdated' | undefined

const describeRestored = (isRestored: boolean, isCurrent: boolean): Restored =>
  isRestored ? (isCurrent ? 'current' : 'outdated') : undefined

interface Props {
  readonly of: { readonly restored: Restored; readonly discard: () => void }
  /** Whether the input changes a saved record. */
  readonly isSaved?: boolean
}

/** Notice that unsaved changes have been restored, with a button to discard them. */
export function RestoredInputNotice({ of: { restored, discard }, isSaved = false }: Props) {
  if (!restored) return null
  return (
    <Alert color="signal" role="status" title="Your unsaved changes have been restored">
      <Text size="sm">
        {restored === 'current'
          ? 'These changes were not saved last time.'
          : 'These changes were not saved last time, and the saved version has changed since. Check both before you save.'}
      </Text>
      <Button size="xs" variant="default" mt="xs" onClick={discard}>
        {isSaved ? 'Discard changes and load the saved version' : 'Start again'}
      </Button>
    </Alert>
  )
}
