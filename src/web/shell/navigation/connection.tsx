import { VisuallyHidden } from '@mantine/core'
import { IconCloudOff, IconCloudUpload } from '@tabler/icons-react'
import { Suspense, useSyncExternalStore } from 'react'
import { usePresumed } from '../../api/copies.ts'
import { findOfflineQueue, useQueuedRequests } from '../../api/deliver.ts'
import { lazily } from '../../ui/lazily.tsx'
import css from './connection.module.css'
import { closeDialog, openDialog, useOpenDialog } from './dialogs.ts'

function subscribe(l: () => void) {
  addEventListener('online', l)
  addEventListener('offline', l)
  return () => {
    removeEventListener('online', l)
    removeEventListener('offline', l)
  }
}

const waitingDialog = () => import('../../queue/waiting-dialog.tsx')
const WaitingDialog = lazily(waitingDialog)
const signOutDialog = () => import('../../queue/sign-out-dialog.tsx')
const SignOutDialog = lazily(signOutDialog)
// What waits is sent, and all of this has to be there when there is no connection.
void Promise.all([findOfflineQueue(), waitingDialog(), signOutDialog(), import('../../queue/kept-list.tsx')]).catch(
  () => undefined,
)

const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine)

/** Shown only while there is something to say: no connection, what waits to be sent, and what was not taken. */
export default function Connection() {
  const reachable = useOnline()
  const presumed = usePresumed()
  const online = reachable && !presumed
  const parcels = useQueuedRequests()
  const open = useOpenDialog()
  const waiting = parcels.filter((p) => !p.refused).length
  const refused = parcels.length - waiting
  const words = [
    ...(online ? [] : ['Offline']),
    ...(waiting ? [`${waiting} waiting to be sent`] : []),
    ...(refused ? [`${refused} not taken`] : []),
  ].join(', ')
  const Picture = online ? IconCloudUpload : IconCloudOff
  const face = (
    <>
      <Picture size={18} aria-hidden />
      <span className={css.words}>{words}</span>
      {parcels.length > 0 && (
        <span className={css.count} aria-hidden>
          {parcels.length}
        </span>
      )}
    </>
  )
  return (
    <>
      <Suspense>
        {open?.name === 'waiting' && <WaitingDialog onClose={closeDialog} />}
        {open?.name === 'sign-out' && <SignOutDialog onClose={closeDialog} />}
      </Suspense>
      <VisuallyHidden role="status">{words}</VisuallyHidden>
      {words &&
        (parcels.length ? (
          <button
            type="button"
            className={css.mark}
            data-refused={refused > 0 || undefined}
            aria-label={`${words}: show the list`}
            aria-haspopup="dialog"
            onClick={() => openDialog({ name: 'waiting' })}
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
