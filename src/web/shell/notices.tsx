import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import css from './notices.module.css'

/** Container for toasts. Those raised before this chunk loaded are shown afterwards. */
const Notices = () => <Notifications position="bottom-left" limit={3} className={css.place} />
export default Notices
