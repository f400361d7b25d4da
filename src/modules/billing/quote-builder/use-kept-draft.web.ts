import { useEffect, useState } from 'react'
import { session } from '#web/api/session.ts'
import { ownTabValue } from '#web/offline/owner.ts'
import type { QuoteDraft } from './draft.web.ts'

interface Kept {
  readonly draft?: QuoteDraft
  readonly etag?: string | null
}

/** Stores an unsaved draft in the browser tab under its name, so a reload or leaving the page loses nothing. */
export function useStoredDraft(name: string, begin: () => QuoteDraft, etag: string | null) {
  const [kept] = useState(() => ownTabValue<Kept>(session.me(), name))
  const [found, setFound] = useState<Kept>(() => kept.read() ?? {})
  const [draft, setDraft] = useState<QuoteDraft>(() => found.draft ?? begin())
  const [dirty, setDirty] = useState(found.draft !== undefined)
  const over = found.etag ?? etag
  useEffect(() => {
    if (dirty) kept.write({ draft, etag: over })
    else kept.write(undefined)
  }, [kept, draft, dirty, over])
  return {
    draft,
    setDraft,
    dirty,
    setDirty: (now: boolean) => {
      setDirty(now)
      if (!now) setFound({})
    },
    etag: over,
    restored: found.draft !== undefined,
    forget: () => {
      kept.write(undefined)
      setFound({})
      setDraft(begin())
      setDirty(false)
    },
  }
}
