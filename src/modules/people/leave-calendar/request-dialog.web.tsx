import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { canRunActionInState, isActionAllowedOnRecord } from '#kernel/can.ts'
import { iriOf, type RecordOf, type Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { invalidateLists, useApiRecord } from '#web/api/resources.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { leaveRequest } from '../leave/leave-request.ts'
import { formatLeave } from '../leave-report/report.ts'
import { HR_ROLES } from '../rights.ts'
import { formatPart } from './period.ts'
import { RequestStatus } from './request-list.web.tsx'

const RequestConditions = lazyComponent(() => import('./statutory.web.tsx'))

type Request = RecordOf<typeof leaveRequest>
type Action = 'approve' | 'decline' | 'withdraw' | 'cancel'

const DONE: Readonly<Record<Action, string>> = {
  approve: 'The leave is approved',
  decline: 'The leave is declined',
  withdraw: 'The request is withdrawn',
  cancel: 'The leave is cancelled',
}

interface Props {
  readonly id: number
  /** IDs of the employees that are the reader. */
  readonly ownEmployees: readonly number[]
  readonly onClose: () => void
  readonly onChanged: () => void
}

/** A request with its decision, and the actions that the reader may take. */
export default function RequestDialog({ id, ownEmployees, onClose, onChanged }: Props) {
  const request = useApiRecord(leaveRequest, id)
  return (
    <Dialog opened onClose={onClose} title="Leave request" addressed>
      {request.isError && <ErrorState error={request.error} onRetry={() => void request.refetch()} />}
      {request.isPending && <LoadingRows rows={4} />}
      {request.data && (
        <Details request={request.data} ownEmployees={ownEmployees} onClose={onClose} onChanged={onChanged} />
      )}
    </Dialog>
  )
}

interface DetailsProps extends Omit<Props, 'id'> {
  readonly request: Request
}

function Details({ request, ownEmployees, onClose, onChanged }: DetailsProps) {
  const actor = useActor()
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<'decline' | 'cancel'>()
  const finish = (action: Action) => {
    const returned = request.deducted && action !== 'approve' ? ', and the balance returned' : ''
    toast.info(`${DONE[action]}${returned}`, 'safe')
    void invalidateLists(queryClient, leaveRequest)
    onChanged()
    onClose()
  }
  const run = useMutation({
    mutationFn: (action: Action) => callApi('POST', `${iriOf(leaveRequest, request.id)}/${action}`, {}),
    onSuccess: (_, action) => finish(action),
    onError: (error) => toast.failed(error),
  })
  const isOwn = ownEmployees.includes(request.employee.id)
  const mayWithdraw = isOwn || request.author === actor.username || hasRole(actor, HR_ROLES)
  const may = (action: Action) =>
    canRunActionInState(actor, action, leaveRequest, request.state) &&
    isActionAllowedOnRecord(actor, action, leaveRequest, request) &&
    !(isOwn && (action === 'approve' || action === 'decline')) &&
    (mayWithdraw || action !== 'withdraw')
  if (asked) {
    const input = leaveRequest.actions?.[asked].input ?? {}
    const form: Resource = { ...leaveRequest, url: `${iriOf(leaveRequest, request.id)}/${asked}`, fields: input }
    return (
      <ResourceForm
        resource={form}
        decided
        action={asked === 'decline' ? 'Decline' : 'Cancel leave'}
        onCancel={() => setAsked(undefined)}
        onSaved={() => finish(asked)}
      />
    )
  }
  return (
    <Stack gap="md">
      <Group gap="sm">
        <strong>{request.employee.name}</strong>
        <RequestStatus state={request.state} />
      </Group>
      <dl>
        <dt>Kind</dt>
        <dd>{request.kind.name}</dd>
        <dt>Dates</dt>
        {request.parts.map((part) => (
          <dd key={part.id}>{formatPart(part)}</dd>
        ))}
        <dt>Working time</dt>
        <dd>{formatLeave(request.minutes, 'hours', 0)}</dd>
        {request.notes && (
          <>
            <dt>Message</dt>
            <dd>{request.notes}</dd>
          </>
        )}
        {request.eventOn && (
          <>
            <dt>Day that notice or service is counted from</dt>
            <dd>{formatIsoAsUkDate(request.eventOn)}</dd>
          </>
        )}
        {request.noticeOn && (
          <>
            <dt>Notice given on</dt>
            <dd>{formatIsoAsUkDate(request.noticeOn)}</dd>
          </>
        )}
        {request.details && (
          <>
            <dt>Details</dt>
            <dd>{request.details}</dd>
          </>
        )}
        {request.decidedBy && (
          <>
            <dt>Decided by</dt>
            <dd>
              {request.decidedBy}, {formatIsoAsUkDateTime(request.decidedAt)}
            </dd>
          </>
        )}
        {request.decision && (
          <>
            <dt>Reason</dt>
            <dd>{request.decision}</dd>
          </>
        )}
      </dl>
      {!request.deducted && <RequestConditions id={request.id} />}
      {isOwn && request.state === 'requested' && <Text c="dimmed">Another person decides on your own leave.</Text>}
      <Group gap="sm">
        {may('approve') && (
          <Button loading={run.isPending} onClick={() => run.mutate('approve')}>
            Approve
          </Button>
        )}
        {may('decline') && (
          <Button variant="default" onClick={() => setAsked('decline')}>
            Decline
          </Button>
        )}
        {may('withdraw') && (
          <Button variant="default" loading={run.isPending} onClick={() => run.mutate('withdraw')}>
            Withdraw
          </Button>
        )}
        {may('cancel') && (
          <Button variant="default" onClick={() => setAsked('cancel')}>
            Cancel leave
          </Button>
        )}
      </Group>
    </Stack>
  )
}
