import { Anchor, SegmentedControl } from '@mantine/core'
import { Link } from 'react-router'
import { z } from 'zod'
import { useMe } from '#web/api/me.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { MarkAllReadButton, NotificationList } from '#web/shell/bell/notice-list.tsx'
import { Page } from '#web/ui/page.tsx'

const STATE = listUrlSchema({ show: z.enum(['all', 'unread']).default('all') })

/** Page with all of the user's notifications, newest first. */
export default function InboxPage() {
  const me = useMe()
  const [{ show }, setState] = useUrlState(STATE)
  return (
    <Page
      title={me.isImpersonating ? `Notifications for ${me.name}` : 'Notifications'}
      about={
        <>
          Your tasks and news. Choose which notifications you get, here or by e-mail, under{' '}
          <Anchor component={Link} to="/profile/notices">
            My notifications
          </Anchor>
          .
        </>
      }
      actions={<MarkAllReadButton me={me} />}
    >
      <SegmentedControl
        aria-label="Filter notifications"
        data={[
          { value: 'all', label: 'All' },
          { value: 'unread', label: 'Unread' },
        ]}
        value={show}
        onChange={(value) => setState({ show: value as 'all' | 'unread' })}
        style={{ alignSelf: 'start' }}
      />
      <NotificationList me={me} unread={show === 'unread'} />
    </Page>
  )
}
