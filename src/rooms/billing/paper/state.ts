import type { Instant } from '#kernel/time.ts'

/** What a quote's state depends on. */
interface Standing {
  readonly [field: string]: unknown
  readonly state?: unknown
  readonly replacedBy?: unknown
  readonly expiresAt?: unknown
}

export type AcceptanceState = 'open' | 'accepted' | 'declined' | 'expired' | 'cancelled' | 'replaced'

/** Expired is what is past its day, whether or not anybody has written it down yet. A draft is nobody's to decide. */
export function stateOf(q: Standing, now: Instant): AcceptanceState {
  if (q.replacedBy) return 'replaced'
  if (q.state === 'open') return Date.parse(String(q.expiresAt)) <= now.epochMilliseconds ? 'expired' : 'open'
  return q.state === 'draft' ? 'cancelled' : (q.state as AcceptanceState)
}
