import { IconBell } from '@tabler/icons-react'
import type { Me } from '../../api/session.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { TopBarPopover } from '../../ui/top-popover.tsx'
import css from './bell.module.css'
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
    </>
  )
}
