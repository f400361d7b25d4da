import { Stack, Text } from '@mantine/core'
import { Fragment } from 'react'
import { labelOf } from '#kernel/fields.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { useList } from '#web/api/resources.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { LoadingRows, SectionError } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { employee } from '../employees/employee.ts'
import { employeeRecord } from '../employees/employee-record.ts'
import css from '../people.module.css'
import { employeeLogin } from './employee-login.ts'

type Login = RecordOf<typeof employeeLogin>
type LoginState = RecordOf<typeof employeeRecord>['login']

const MEANINGS: Readonly<Record<LoginState, ColourMeaning>> = {
  none: 'plain',
  waiting: 'attention',
  sending: 'info',
  sent: 'info',
  letter: 'info',
  opened: 'info',
  signedIn: 'safe',
  failed: 'stop',
  unclear: 'attention',
  expired: 'attention',
  ended: 'plain',
}

export const LoginStatus = ({ state }: { readonly state: LoginState }) => (
  <StatusChip meaning={MEANINGS[state]}>
    {employeeRecord.fields.login.options?.find(({ value }) => value === state)?.label ?? state}
  </StatusChip>
)

const SHOWN_LOGINS = 5
const TIMES = ['sentAt', 'openedAt', 'signedInAt', 'endedAt', 'until'] as const

/** Login details of an employee, the latest first, with their known times. */
export function LoginHistory({ record }: { readonly record: RecordOf<typeof employeeRecord> }) {
  const list = useList(employeeLogin, { employee: iriOf(employee, record.id), itemsPerPage: SHOWN_LOGINS })
  if (list.error) return <SectionError error={list.error} onRetry={list.refetch} />
  if (!list.data) return <LoadingRows rows={2} />
  const logins = list.data['hydra:member']
  if (!logins.length)
    return (
      <Text size="sm" c="dimmed">
        Not sent yet
      </Text>
    )
  return (
    <ol className={css.history}>
      {logins.map((login) => (
        <li key={login.id}>
          <LoginEntry login={login} />
        </li>
      ))}
    </ol>
  )
}

const LoginEntry = ({ login }: { readonly login: Login }) => (
  <Stack gap="xs" w="100%" align="flex-start">
    <LoginStatus state={login.state} />
    <dl className={css.facts}>
      <dt>{login.method === 'letter' ? 'Letter created' : 'Requested'}</dt>
      <dd>
        {formatIsoAsUkDateTime(login.createdAt)}
        {login.email && `, to ${login.email}`}
      </dd>
      {TIMES.filter((name) => login[name] && !(name === 'until' && (login.endedAt || login.signedInAt))).map((name) => (
        <Fragment key={name}>
          <dt>{labelOf(name, employeeLogin.fields[name])}</dt>
          <dd>{formatIsoAsUkDateTime(login[name])}</dd>
        </Fragment>
      ))}
    </dl>
  </Stack>
)
