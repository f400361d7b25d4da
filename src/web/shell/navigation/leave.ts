import { signOut } from '../../api/signing.ts'
import { allQueuedRequests } from '../../offline/outbox/outbox.ts'
import { openDialog } from './dialogs.ts'

/** Signs out, after a warning if requests are still queued. */
export function leave(go: () => unknown): void {
  if (allQueuedRequests().length) openDialog({ name: 'sign-out' })
  else void signOut(go)
}
