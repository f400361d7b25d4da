import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import css from './notices.module.css'

/** Container for toasts. Toasts raised before this chunk has loaded are shown once it has. */
const Notices = () => <Notifications position="bottom-left" limit={3} className={css.place} />
export default Notices
