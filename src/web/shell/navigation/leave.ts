import { signOut } from '../../api/signing.ts'
import { getQueuedRequests } from '../../offline/outbox/outbox.ts'
import { openShellDialog } from './dialogs.ts'

/** Signs out. If requests are still queued, the user is asked for confirmation first. */
export function signOutWithWarning(go: () => unknown): void {
  if (getQueuedRequests().length) openShellDialog({ name: 'sign-out' })
  else void signOut(go)
}
