import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { callApi } from '#web/api/client.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import type { DiscountApprovalState } from '../quotes/data.web.ts'
import { aboveLimitText } from '../quotes/discount-approval.web.tsx'
import { type SubscriptionChangeBody, type SubscriptionRecord, useSubscriptionMutation } from './data.web.ts'

interface Props {
  readonly of: SubscriptionRecord
  readonly asking: SubscriptionChangeBody | undefined
  readonly approval: DiscountApprovalState
  readonly onRequested: () => void
}

/** Discount above the limit that a change raises, with the state of its approval or a field to request one. */
export function SubscriptionDiscountNotice({ of, asking, approval, onRequested }: Props) {
  const [reason, setReason] = useState('')
  const ask = useSubscriptionMutation(() =>
    callApi('POST', `${of['@id']}/ask-approval`, { ...asking, reason: reason.trim() }),
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
  const isDeclined = approval.state === 'rejected'
  return (
    <Alert
      color={isDeclined ? 'red' : 'yellow'}
      role="status"
      title={isDeclined ? 'Discount declined' : 'Discount needs approval'}
    >
      <Stack gap="sm">
        <Text size="sm">
          {isDeclined
            ? `${approval.answer && `Reason: ${approval.answer}. `}Choose another change, or request approval again.`
            : aboveLimitText(approval, of.currency, approval, 'make this change')}
        </Text>
        <TextInput
          label="Reason for this discount (Required)"
          description="Shown to the person who approves the discount."
          maxLength={500}
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        {ask.error && <ErrorText>{errorSentence(ask.error)}</ErrorText>}
        <Button
          variant="default"
          loading={ask.isPending}
          disabled={!reason.trim()}
          onClick={() => ask.mutate(undefined, { onSuccess: onRequested })}
        >
          Request approval
        </Button>
      </Stack>
    </Alert>
  )
}
