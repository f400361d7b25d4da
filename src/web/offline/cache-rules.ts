import { confidentialFieldNames } from '#kernel/resource.ts'

/**
 * Key of a cached response: its owner, the time when it was read in ms since 1970, its size in characters of JSON, and
 * the hash of its query.
 */
export type CacheEntryKey = readonly [owner: string, at: number, size: number, hash: string]

/**
 * Limits for one owner's cache: the age in milliseconds, the size of one response in characters, of one file in
 * bytes and of all together, and the number of responses.
 */
export const CACHE_LIMITS = {
  ageMs: 14 * 86_400_000,
  answerChars: 2_000_000,
  fileBytes: 20_000_000,
  totalChars: 100_000_000,
  answers: 600,
} as const

/**
 * Returns the entries to remove when other entries are written: earlier responses to the same queries, expired
 * responses, and the oldest responses beyond the limits.
 */
export function cacheEntriesToRemove(
  stored: readonly CacheEntryKey[],
  written: readonly CacheEntryKey[],
  now: number,
): CacheEntryKey[] {
  const replaced = new Set(written.map(([, , , hash]) => hash))
  const candidates = stored.filter(([, at, , hash]) => !replaced.has(hash) && now - at < CACHE_LIMITS.ageMs)
  let chars: number = CACHE_LIMITS.totalChars
  let answers: number = CACHE_LIMITS.answers
  for (const [, , size] of written) {
    chars -= size
    answers--
  }
  const kept = new Set<CacheEntryKey>()
  for (const entry of candidates.toSorted(([, a], [, b]) => b - a)) {
    chars -= entry[2]
    answers--
    if (chars < 0 || answers < 0) break
    kept.add(entry)
  }
  return stored.filter((entry) => !kept.has(entry))
}

/** Returns true if a response contains a record's confidential value, at any depth. */
export function containsConfidentialValue(data: unknown): boolean {
  if (data === null || typeof data !== 'object') return false
  const record = data as Readonly<Record<string, unknown>>
  const type = record['@type']
  const names = typeof type === 'string' ? confidentialFieldNames(type) : []
  return (
    names.some((name) => record[name] !== undefined && record[name] !== null) ||
    Object.values(record).some(containsConfidentialValue)
  )
}
