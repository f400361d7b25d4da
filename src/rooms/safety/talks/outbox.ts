/** A signature that is on its way: kept in the tab until the portal has it, and sent again under the same key. */
export interface Outgoing {
  readonly key: string
  /** Whose it is. */
  readonly name: string
  /** The row that is signed; none for one who was not named. */
  readonly attendee?: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  /** Why the portal does not take it. */
  readonly refused?: string
}

interface Failure {
  readonly status: number
  readonly code?: string | undefined
}

const LATER = new Set([0, 401, 408, 429, 502, 503, 504])

/** Has nothing been decided about what was sent, so that it is sent again later? */
export const isForLater = ({ status, code }: Failure): boolean =>
  LATER.has(status) || code === 'still_running' || code === 'changed_meanwhile'

/** What is kept, out of what the tab has stored; nothing of what can't be read. */
export function readOutbox(stored: unknown): Outgoing[] {
  const { waiting } = (stored ?? {}) as { waiting?: unknown }
  return Array.isArray(waiting) ? waiting.filter(isOutgoing) : []
}

const isOutgoing = (one: unknown): one is Outgoing =>
  typeof one === 'object' && one !== null && 'key' in one && 'name' in one && 'body' in one
