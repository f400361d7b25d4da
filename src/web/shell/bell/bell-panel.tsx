import { Link } from 'react-router'
import type { Me } from '../../api/session.ts'
import css from './bell.module.css'
import { MarkAllReadButton, NotificationList } from './notice-list.tsx'

const SHOWN_NOTIFICATIONS = 8

/** Panel below the bell, with the newest notifications and a link to all notifications. */
export default function NotificationPanel({ me, close }: { readonly me: Me; readonly close: () => void }) {
  return (
    <>
      <div className={css.head}>
        {me.isImpersonating ? `Notifications for ${me.name}` : 'Notifications'}
        <MarkAllReadButton me={me} />
      </div>
      <NotificationList me={me} most={SHOWN_NOTIFICATIONS} onGo={close} />
      <div className={css.foot}>
        <Link to="/notices" onClick={close}>
          All notifications
        </Link>
        <Link to="/profile/notices" onClick={close}>
          My notifications
        </Link>
      </div>
    </>
  )
}
