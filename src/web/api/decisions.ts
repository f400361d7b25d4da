import type { Values } from '#kernel/forms/visible.ts'
import { tabValueOfPerson } from '../offline/owner.ts'
import { ApiError } from './client.ts'
import { createRandomKey } from './idempotency.ts'
import { type Me, session } from './session.ts'

/**
 * A change shown as done before the server has responded. It is stored in the tab, so that its outcome is reported even
 * after the page has been left.
 */
export interface PendingDecision {
  /** `The approval of RA-0004 revision 1` */
  readonly what: string
  /** The record's address, and its values before and after. */
  readonly address: string
  readonly before: Values
  readonly after: Values
  /** The page of the record. */
  readonly at: string
}

interface StoredDecision extends PendingDecision {
  readonly id: string
  /** The id of the page load that made the decision. */
  readonly page: string
}

const PAGE = createRandomKey()
/** A closing page aborts its requests first: failures within this time are not responses. */
const CLOSING_MS = 500

const storedFor = (me: Me | undefined) => tabValueOfPerson<readonly StoredDecision[]>(me, 'decisions')

/** Stores decisions until the server has responded. Call the returned function with the outcome. */
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

/** Decisions without a response from earlier loads of the page. Call `remove` once one is reported. */
export function readUnconfirmedDecisions(): { readonly decision: PendingDecision; readonly remove: () => void }[] {
  const stored = storedFor(session.me())
  return (stored.read() ?? [])
    .filter(({ page }) => page !== PAGE)
    .map((decision) => ({ decision, remove: () => removeFrom(stored, [decision]) }))
}
