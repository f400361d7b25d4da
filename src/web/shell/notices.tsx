import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import css from './notices.module.css'

/** Where notifications appear. What was said before this chunk came is shown when it has. */
const Notices = () => <Notifications position="bottom-left" limit={3} className={css.place} />
export default Notices
