import { Alert, List, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { iriOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { leaveAccount } from '../leave/leave-account.ts'
import type { LeavePreview } from '../leave/leave-plan.ts'
import { leaveRequest } from '../leave/leave-request.ts'
import { formatLeave } from '../leave-report/report.ts'
import type { RequestPart } from '../leave-rules/request-part.ts'
import type { LeaveFacts } from './request-draft.ts'
import { Conditions } from './statutory.web.tsx'

interface Props {
  readonly employee: string
  readonly kind: string
  readonly parts: readonly RequestPart[]
  readonly facts: LeaveFacts
}

const leaveAccountOf = (iri: string): string => iriOf(leaveAccount, iri.slice(iri.lastIndexOf('/') + 1))

/** What a request would do, before it is sent. */
export function RequestPreview({ employee, kind, parts, facts: { eventOn, noticeOn } }: Props) {
  const body = { employee: leaveAccountOf(employee), kind, parts, eventOn, noticeOn }
  const url = `${leaveRequest.url}/preview`
  const preview = useQuery({
    queryKey: [url, body],
    queryFn: ({ signal }) => callApi<LeavePreview>('POST', url, body, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <section className={page.card} aria-labelledby="preview" aria-live="polite">
      <h2 id="preview">Before you send it</h2>
      {preview.isPending && <LoadingRows rows={3} />}
      {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data && <Plan of={preview.data} />}
    </section>
  )
}

const formatDays = (days: readonly string[]): string => days.map(formatIsoAsUkDate).join(', ')

function Plan({ of: plan }: { readonly of: LeavePreview }) {
  const hours = (minutes: number) => formatLeave(minutes, plan.unit, plan.dayMinutes)
  return (
    <Stack gap="sm">
      {plan.problem && (
        <Alert color="red" title="This request can’t be sent">
          {plan.problem}
        </Alert>
      )}
      {plan.blackouts.map(({ firstDay, lastDay, reason }) => (
        <Alert key={firstDay} color="red" title="No leave can be requested">
          {formatIsoAsUkDate(firstDay)} to {formatIsoAsUkDate(lastDay)}: {reason}
        </Alert>
      ))}
      {plan.shortCover.length > 0 && (
        <Alert color="yellow" title="Fewer people at work than the department needs">
          {plan.shortCover
            .map(({ day, atWork, minimum }) => `${formatIsoAsUkDate(day)}: ${atWork} of ${minimum}`)
            .join('; ')}
        </Alert>
      )}
      <List>
        <List.Item>Working time: {hours(plan.minutes)}</List.Item>
        {plan.balances.map(({ year, before, after }) => (
          <List.Item key={year}>
            Balance of the year from {formatIsoAsUkDate(year)}: {hours(before)} now, {hours(after)} after. Requests that
            wait are deducted.
          </List.Item>
        ))}
        {plan.bankHolidays.length > 0 && (
          <List.Item>Bank holidays, which this request does not deduct: {formatDays(plan.bankHolidays)}</List.Item>
        )}
        <List.Item>
          {plan.others.length
            ? `Absent colleagues: ${plan.others.map(({ name, firstDay, lastDay }) => `${name} (${formatDays([...new Set([firstDay, lastDay])])})`).join('; ')}`
            : 'No colleague of the department is absent.'}
        </List.Item>
      </List>
      <Conditions conditions={plan.conditions} />
      {plan.noticeBy && (
        <Text c="dimmed" size="sm">
          Unless agreed otherwise, the law expects notice twice as long as the leave (Working Time Regulations 1998,
          regulation 15): by {formatIsoAsUkDate(plan.noticeBy)}.
        </Text>
      )}
    </Stack>
  )
}
