import { IconBell } from '@tabler/icons-react'
import { type ComponentType, Suspense, useContext, useEffect, useState } from 'react'
import type { Me } from '../../api/session.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { TopBarPopover } from '../../ui/top-popover.tsx'
import { ModulesContext, type NoticeDialogProps } from '../manifest/module.ts'
import css from './bell.module.css'
import { onNewNotifications } from './record-changes.ts'
import { formatShortCount, useNotificationSummary } from './summary.ts'

const BellPanel = lazyComponent(() => import('./bell-panel.tsx'))

export function NotificationBell({ me }: { readonly me: Me }) {
  const { unread } = useNotificationSummary()
  const words = unread ? `${unread} unread` : ''
  return (
    <>
      <TopBarPopover
        id="notices"
        label={words ? `Notifications, ${words}` : 'Notifications'}
        dialog="Notifications"
        panelClass={css.panel}
        face={
          <>
            <IconBell size={22} stroke={1.75} aria-hidden />
            <span className={css.count} data-count={formatShortCount(unread) || undefined} aria-hidden="true" />
          </>
        }
      >
        {(close) => <BellPanel me={me} close={close} />}
      </TopBarPopover>
      <span className={css.said} role="status">
        {words && `${words} ${unread === 1 ? 'notification' : 'notifications'}`}
      </span>
      <NewNotificationDialog />
    </>
  )
}

/** Milliseconds between two checks of whether the user is still typing. */
const TYPING_CHECK_MS = 1000
const isTyping = () => document.activeElement?.matches('input, textarea, select, [contenteditable=true]') === true

interface OpenDialog extends Omit<NoticeDialogProps, 'onClose'> {
  readonly Body: ComponentType<NoticeDialogProps>
}

/** Dialog of a module for a notification that has just arrived. It waits until the user has stopped typing. */
function NewNotificationDialog() {
  const modules = useContext(ModulesContext)
  const [open, setOpen] = useState<OpenDialog>()
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setInterval>>()
    const stop = onNewNotifications((arrived) => {
      for (const { kind, words, about } of arrived) {
        const dialog = modules.flatMap((module) => module.noticeDialogs).find((one) => one.kind === kind)
        if (!dialog) continue
        const loading = dialog.load()
        const timer = setInterval(() => {
          if (isTyping()) return
          clearInterval(timer)
          timers.delete(timer)
          loading.then(({ default: Body }) => setOpen({ Body, words, about })).catch(() => undefined)
        }, TYPING_CHECK_MS)
        timers.add(timer)
      }
    })
    return () => {
      stop()
      for (const timer of timers) clearInterval(timer)
    }
  }, [modules])
  if (!open) return null
  const { Body, ...notice } = open
  return (
    <Suspense fallback={null}>
      <Body {...notice} onClose={() => setOpen(undefined)} />
    </Suspense>
  )
}
