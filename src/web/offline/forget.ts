import { clearCache } from './cache-store.ts'
import { clearRecentRecords, clearUnsavedInput, type OwnerIdentity } from './owner.ts'

/** Removes all cached responses. A browser that can't store anything has none. */
export const clearOfflineCache = async (): Promise<void> => {
  await Promise.resolve()
    .then(clearCache)
    .catch(() => undefined)
}

/** Removes a person's input, recent records and cached responses from this browser. Queued requests are retained. */
export async function removePersonData(person: OwnerIdentity | undefined): Promise<void> {
  clearUnsavedInput()
  clearRecentRecords()
  await clearOfflineCache()
  if (person)
    await import('./drafts.ts')
      .then(({ removePersonDrafts: removeDraftsOf }) => removeDraftsOf(person))
      .catch(() => undefined)
}
