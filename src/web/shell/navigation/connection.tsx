import { VisuallyHidden } from '@mantine/core'
import { IconCloudOff, IconCloudUpload } from '@tabler/icons-react'
import { Suspense, useSyncExternalStore } from 'react'
import { useIsSessionUnconfirmed } from '../../offline/cache/cached-page.ts'
import { loadOfflineQueue, useQueuedRequests } from '../../offline/outbox/outbox.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import css from './connection.module.css'
import { closeShellDialog, openShellDialog, useShellDialog } from './dialogs.ts'

function subscribe(l: () => void) {
  addEventListener('online', l)
  addEventListener('offline', l)
  return () => {
    removeEventListener('online', l)
    removeEventListener('offline', l)
  }
}

const waitingDialog = () => import('../../offline/screens/waiting-dialog.tsx')
const WaitingDialog = lazyComponent(waitingDialog)
const signOutDialog = () => import('../../offline/screens/sign-out-dialog.tsx')
const SignOutDialog = lazyComponent(signOutDialog)
// These files are loaded in advance, because they must work offline.
void Promise.all([
  loadOfflineQueue(),
  waitingDialog(),
  signOutDialog(),
  import('../../offline/screens/queued-list.tsx'),
]).catch(() => undefined)

const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine)

/** Connection status. It is shown only while offline, or if requests are queued or have been rejected. */
export default function ConnectionStatus() {
  const reachable = useOnline()
  const presumed = useIsSessionUnconfirmed()
  const online = reachable && !presumed
  const requests = useQueuedRequests()
  const open = useShellDialog()
  const waiting = requests.filter((p) => !p.refused).length
  const refused = requests.length - waiting
  const words = [
    ...(online ? [] : ['Offline']),
    ...(waiting ? [`${waiting} waiting to be sent`] : []),
    ...(refused ? [`${refused} not accepted`] : []),
  ].join(', ')
  const Picture = online ? IconCloudUpload : IconCloudOff
  const face = (
    <>
      <Picture size={18} aria-hidden />
      <span className={css.words}>{words}</span>
      {requests.length > 0 && (
        <span className={css.count} aria-hidden>
          {requests.length}
        </span>
      )}
    </>
  )
  return (
    <>
      <Suspense>
        {open?.name === 'waiting' && <WaitingDialog onClose={closeShellDialog} />}
        {open?.name === 'sign-out' && <SignOutDialog onClose={closeShellDialog} />}
      </Suspense>
      <VisuallyHidden role="status">{words}</VisuallyHidden>
      {words &&
        (requests.length ? (
          <button
            type="button"
            className={css.mark}
            data-refused={refused > 0 || undefined}
            aria-label={`${words}: show the list`}
            aria-haspopup="dialog"
            onClick={() => openShellDialog({ name: 'waiting' })}
          >
            {face}
          </button>
        ) : (
          <span className={css.mark} aria-hidden>
            {face}
          </span>
        ))}
    </>
  )
}
