import { allQueuedRequests } from '../../api/deliver.ts'
import { signOut } from '../../api/signing.ts'
import { openDialog } from './dialogs.ts'

/** Signs out; whoever has something here that is not sent is told so first. */
export function leave(go: () => unknown): void {
  if (allQueuedRequests().length) openDialog({ name: 'sign-out' })
  else void signOut(go)
}
