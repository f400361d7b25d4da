import { Text } from '@mantine/core'
import { z } from 'zod'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { useMe } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { describeDevice } from '../device-words.ts'
import css from './agent.module.css'
import { securityEvent } from './security-event.ts'

/** A readable description of a user agent; a click shows the raw value. */
const UserAgent = ({ raw }: { readonly raw: string }) =>
  describeDevice(raw) === raw ? (
    raw
  ) : (
    <details className={css.agent}>
      <summary>{describeDevice(raw)}</summary>
      <code>{raw}</code>
    </details>
  )

const LIST = listUrlSchema({ event: z.string().max(40).default(''), client: z.string().regex(/^\d*$/).default('') })

/** Security log: sign-ins, refusals and changes to users' rights. */
export default function SecurityLogPage() {
  const me = useMe()
  const provider = me.client.id === PROVIDER_CLIENT_ID
  const [state, set] = useUrlState(LIST)
  return (
    <Page title="Security log">
      <Text maw="70ch">
        This log lists all sign-ins, failed attempts, refusals and changes to users’ rights. Nobody can change or delete
        an entry; entries are deleted automatically after thirteen months.
      </Text>
      <DataList
        resource={securityEvent}
        label="Security events"
        state={state}
        onState={set}
        search="Search by username"
        searchBy="username"
        filters={['event', ...(provider ? ['client'] : [])]}
        columns={[
          { key: 'happenedAt', title: 'Date and time', render: (e) => <DateTimeText at={e.happenedAt} />, tight: true },
          { key: 'event', title: 'Event', link: true },
          { key: 'username', title: 'User', render: (e) => <Person username={e.username} as={e.asUsername} /> },
          { key: 'detail', title: 'Details', render: (e) => timesWords(e.detail, e.times) },
          { key: 'address', title: 'IP address', tight: true },
          ...(provider ? [{ key: 'client', title: 'Client', wide: true }] : []),
          { key: 'agent', title: 'Browser', wide: true, render: (e) => e.agent && <UserAgent raw={e.agent} /> },
        ]}
        empty={<EmptyState title="No events yet">Sign-ins and changes to users’ rights appear here.</EmptyState>}
      />
    </Page>
  )
}

/** Username in a log entry, with the impersonated user if there is one. "Unknown" if there was no such account. */
function Person({ username, as }: { readonly username: string; readonly as: string }) {
  if (!username) return <Text c="dimmed">Unknown</Text>
  return (
    <>
      {username}
      {as && ` as ${as}`}
    </>
  )
}

const timesWords = (detail: string, times: number) =>
  times > 1 ? `${detail}${detail ? ', ' : ''}${times} times` : detail
