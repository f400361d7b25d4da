import { Button, Group, Stack } from '@mantine/core'
import { IconCalendarPlus, IconChevronLeft, IconChevronRight, IconRss } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { useQueuedRequestsForUrl } from '#web/offline/outbox/outbox.ts'
import { LazyQueuedRequestList } from '#web/offline/screens/queued-requests.tsx'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { leaveRequest } from '../leave/leave-request.ts'
import { LEAVE_PATHS } from '../leave/nav.ts'
import { Agenda } from './agenda.web.tsx'
import css from './calendar.module.css'
import { CALENDAR_URL, type LeaveCalendar } from './calendar.ts'
import { moveMonth, periodOf } from './period.ts'
import { RequestList } from './request-list.web.tsx'
import { Timeline } from './timeline.web.tsx'

const FeedDialog = lazyComponent(() => import('./feed-dialog.web.tsx'))
const RequestDialog = lazyComponent(() => import('./request-dialog.web.tsx'))

const STATE = listUrlSchema({
  month: z
    .string()
    .regex(/^(\d{4}-\d{2})?$/)
    .default(''),
  view: z.enum(['month', 'year']).default('month'),
  state: z.string().default(''),
  request: z.string().regex(/^\d*$/).default(''),
})

const LEGEND = [
  ['approved', 'Approved'],
  ['requested', 'Waiting for approval'],
  ['sick', 'Sick'],
  ['busy', 'Busy'],
] as const

/** Absences of the reader's people, and of their colleagues as busy, with the requests that wait. */
export default function LeaveCalendarPage() {
  const actor = useActor()
  const isPhone = useIsPhone()
  const [state, set] = useUrlState(STATE)
  const [isFeedOpen, setFeedOpen] = useState(false)
  const month = state.month || londonToday().slice(0, 7)
  const isYear = state.view === 'year'
  const period = periodOf(month, isYear)
  const url = `${CALENDAR_URL}?${new URLSearchParams({ ...period })}`
  const answer = useQuery({ queryKey: [url], ...urlQueryOptions<LeaveCalendar>(url), refetchOnMount: 'always' })
  const open = (request: number) => set({ request: String(request) })
  const step = isYear ? 12 : 1
  const queued = useQueuedRequestsForUrl(leaveRequest.url)
  return (
    <Page
      title="Leave"
      actions={
        <>
          <Button variant="default" leftSection={<IconRss size={16} aria-hidden />} onClick={() => setFeedOpen(true)}>
            Calendar feed
          </Button>
          {can(actor, 'create', leaveRequest) && (
            <Button component={Link} to={LEAVE_PATHS.request} leftSection={<IconCalendarPlus size={16} aria-hidden />}>
              Request leave
            </Button>
          )}
        </>
      }
    >
      <Stack gap="md">
        <Group gap="xs">
          <Button variant="default" aria-label="Previous" onClick={() => set({ month: moveMonth(month, -step) })}>
            <IconChevronLeft size={18} aria-hidden />
          </Button>
          <strong aria-live="polite">{titleOf(month, isYear)}</strong>
          <Button variant="default" aria-label="Next" onClick={() => set({ month: moveMonth(month, step) })}>
            <IconChevronRight size={18} aria-hidden />
          </Button>
          <Button variant="subtle" onClick={() => set({ month: '' })}>
            Today
          </Button>
          {(['month', 'year'] as const).map((view) => (
            <Button
              key={view}
              variant={state.view === view ? 'light' : 'default'}
              aria-pressed={state.view === view}
              onClick={() => set({ view })}
            >
              {view === 'month' ? 'Month' : 'Year'}
            </Button>
          ))}
        </Group>
        {answer.isPending && <LoadingRows rows={6} />}
        {answer.isError && !answer.data && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
        {answer.data &&
          (answer.data.lanes.length ? (
            isPhone ? (
              <Agenda calendar={answer.data} onOpen={open} />
            ) : (
              <Timeline calendar={answer.data} onOpen={open} />
            )
          ) : (
            <EmptyState title="No employees yet">
              Your account is not linked to an employee. Please ask human resources to link it.
            </EmptyState>
          ))}
        <p className={css.legend}>
          {LEGEND.map(([key, label]) => (
            <span key={key}>
              <span className={css.sample}>
                <span className={css.bar} data-state={key} style={{ left: 0, width: '100%' }} />
              </span>
              {label}
            </span>
          ))}
        </p>
        <LazyQueuedRequestList requests={queued} label="Leave requests that are not sent yet" />
        <RequestList state={state} onState={set} onOpen={open} />
      </Stack>
      {state.request && (
        <RequestDialog
          id={Number(state.request)}
          ownEmployees={(answer.data?.lanes ?? []).flatMap(({ isMe, employee }) => (isMe ? [employee] : []))}
          onClose={() => set({ request: '' })}
          onChanged={() => void answer.refetch()}
        />
      )}
      {isFeedOpen && <FeedDialog onClose={() => setFeedOpen(false)} />}
    </Page>
  )
}

const titleOf = (month: string, isYear: boolean): string => {
  const format = (day: string) =>
    Temporal.PlainDate.from(day).toLocaleString('en-GB', { month: 'long', year: 'numeric' })
  const { from, until } = periodOf(month, isYear)
  return isYear ? `${format(from)} to ${format(until)}` : format(from)
}
