import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { iriOf } from '#kernel/resource.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { useList } from '#web/api/resources.ts'
import { useQueuedRequestsForUrl } from '#web/offline/outbox/outbox.ts'
import { LazyQueuedRequestList } from '#web/offline/screens/queued-requests.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { employee } from '../employees/employee.ts'
import { leaveAccount } from '../leave/leave-account.ts'
import { ANNUAL_LEAVE, leaveKind, leaveRequest } from '../leave/leave-request.ts'
import { LEAVE_PATHS } from '../leave/nav.ts'
import { CALENDAR_URL, type LeaveCalendar } from './calendar.ts'
import { draftOfBody, emptyDraft, UNSENT_PARAMETER } from './request-draft.ts'
import { RequestForm } from './request-form.web.tsx'

const MAX_PEOPLE = 200

/** Requests leave. Sending is the only way to save, so that no request stays unsent. */
export default function RequestLeavePage() {
  const people = useList(leaveAccount, { retired: 'false', itemsPerPage: MAX_PEOPLE })
  const kinds = useList(leaveKind, { retired: 'false' })
  // The calendar of this month says which employee the reader is.
  const calendar = useQuery({ queryKey: [CALENDAR_URL], ...urlQueryOptions<LeaveCalendar>(CALENDAR_URL) })
  const failed = [people, kinds, calendar].find(({ isError, data }) => isError && !data)
  const [params] = useSearchParams()
  const navigate = useNavigate()
  // Requests stored on this device since the page was opened. Each of them leaves an empty form.
  const [queuedCount, setQueuedCount] = useState(0)
  const queued = useQueuedRequestsForUrl(leaveRequest.url)
  const refused = queued.find((one) => one.refused && one.key === params.get(UNSENT_PARAMETER))
  const own = calendar.data?.lanes.find(({ isMe }) => isMe)?.employee
  const annual = kinds.data?.['hydra:member'].find(({ code }) => code === ANNUAL_LEAVE)
  return (
    <Page title="Request leave" back={{ label: 'Leave', to: LEAVE_PATHS.calendar }}>
      <OfflineNotice>
        No connection. Your request is stored on this device and sent when the connection is back. Balance and
        conditions are checked then.
      </OfflineNotice>
      <LazyQueuedRequestList requests={queued} label="Leave requests that are not sent yet" />
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {people.data && kinds.data && calendar.data ? (
        <RequestForm
          key={refused?.key ?? queuedCount}
          onQueued={() => {
            setQueuedCount((count) => count + 1)
            void navigate(LEAVE_PATHS.request, { replace: true })
            scrollTo(0, 0)
          }}
          refusedKey={refused?.key}
          initial={
            refused
              ? draftOfBody(refused.body)
              : emptyDraft(own ? iriOf(employee, own) : '', annual ? iriOf(leaveKind, annual.id) : '')
          }
          people={people.data['hydra:member']}
          kinds={kinds.data['hydra:member']}
        />
      ) : (
        !failed && <LoadingRows rows={6} />
      )}
    </Page>
  )
}
