import { Alert } from '@mantine/core'
import { callApi } from '#web/api/client.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import type { DiscountApprovalState } from '../quotes/data.web.ts'
import { DiscountRequest, describeDiscountAboveLimit } from '../quotes/discount-approval.web.tsx'
import { type SubscriptionChangeBody, type SubscriptionRecord, useSubscriptionMutation } from './data.web.ts'

interface Props {
  readonly of: SubscriptionRecord
  readonly asking: SubscriptionChangeBody | undefined
  readonly approval: DiscountApprovalState
  readonly onRequested: () => void
}

/** Discount above the limit that a change raises, with the state of its approval or a field to request one. */
export function SubscriptionDiscountNotice({ of, asking, approval, onRequested }: Props) {
  const ask = useSubscriptionMutation((reason: string) =>
    callApi('POST', `${of['@id']}/ask-approval`, { ...asking, reason }),
  )
  if (approval.state === 'approved')
    return (
      <Alert color="green" role="status" title="Discount approved">
        You can make this change. Any other change of the items needs approval again.
      </Alert>
    )
  if (approval.state === 'waiting')
    return (
      <Alert color="yellow" role="status" title="Discount waiting for approval">
        Requested by <PersonName username={approval.author} /> on <DateTimeText at={approval.since} day />. Make this
        change again once it is approved.
      </Alert>
    )
  return (
    <DiscountRequest
      approval={approval}
      limit={describeDiscountAboveLimit(approval, of.currency, approval, 'make this change')}
      alternative="Choose another change"
      request={{ ...ask, send: (reason) => ask.mutate(reason, { onSuccess: onRequested }) }}
    />
  )
}
