import { signOut } from '../../api/signing.ts'
import { getQueuedRequests } from '../../offline/outbox/outbox.ts'
import { isDeliveredForOthers } from '../../offline/requests.ts'
import { openShellDialog } from './dialogs.ts'

/** Signs out. If requests are still queued, the user is asked for confirmation first. */
export function signOutWithWarning(go: () => unknown): void {
  if (getQueuedRequests().some((request) => !isDeliveredForOthers(request))) openShellDialog({ name: 'sign-out' })
  else void signOut(go)
}
