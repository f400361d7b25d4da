import type { Values } from '#kernel/forms/visible.ts'
import { tabValueForPerson } from '../offline/owner.ts'
import { ApiError } from './client.ts'
import { createRandomKey } from './idempotency.ts'
import { type Me, session } from './session.ts'

/**
 * Change that is shown as done before the server has responded. It is stored in the tab. A failure can therefore be
 * reported even after the person has left the page.
 */
export interface PendingDecision {
  /** Subject of messages about the decision: `The approval of RA-0004 revision 1` */
  readonly what: string
  /** URL of the record in the API. `before` and `after` are the record's values before and after the change. */
  readonly address: string
  readonly before: Values
  readonly after: Values
  /** Path of the record's page. */
  readonly at: string
}

interface StoredDecision extends PendingDecision {
  readonly id: string
  /** ID of the page load in which the decision was made. */
  readonly page: string
}

const PAGE = createRandomKey()
/**
 * Milliseconds for which decisions remain stored after a lost connection. If the page closes within this time, it has
 * aborted its own requests, and the decisions remain unconfirmed.
 */
const CLOSING_MS = 500

const storedFor = (me: Me | undefined) => tabValueForPerson<readonly StoredDecision[]>(me, 'decisions')

/** Stores decisions until the server has responded. Returns a function that must be called with the outcome. */
export function storePendingDecisions(decisions: readonly PendingDecision[]): (error?: unknown) => void {
  const stored = storedFor(session.me())
  const made = decisions.map((decision): StoredDecision => ({ ...decision, id: createRandomKey(), page: PAGE }))
  stored.write([...(stored.read() ?? []), ...made])
  return (error) => {
    if (error instanceof ApiError && error.status === 0) setTimeout(() => removeFrom(stored, made), CLOSING_MS)
    else removeFrom(stored, made)
  }
}

function removeFrom(stored: ReturnType<typeof storedFor>, decisions: readonly StoredDecision[]): void {
  const left = (stored.read() ?? []).filter(({ id }) => !decisions.some((one) => one.id === id))
  stored.write(left.length ? left : undefined)
}

export const hasPendingDecisions = (): boolean => storedFor(session.me()).read() !== undefined

/**
 * Returns decisions from earlier page loads that have had no response. Call a decision's `remove` once it has been
 * reported.
 */
export function readUnconfirmedDecisions(): { readonly decision: PendingDecision; readonly remove: () => void }[] {
  const stored = storedFor(session.me())
  return (stored.read() ?? [])
    .filter(({ page }) => page !== PAGE)
    .map((decision) => ({ decision, remove: () => removeFrom(stored, [decision]) }))
}
