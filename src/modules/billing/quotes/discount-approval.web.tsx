import { Alert, Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { isActionAllowedOnRecord } from '#kernel/can.ts'
import { type Currency, formatMoney } from '#kernel/money.ts'
import { callApi } from '#web/api/client.ts'
import { useActor, useMe } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { PendingWorkRow, PendingWorkRows } from '#web/dashboard/waiting.tsx'
import { DateTimeText, RelativeTimeText } from '#web/dates/relative.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { isDiscountAboveLimit, quoteSettings } from '../emails/settings.ts'
import type { MeasuredDiscount } from '../lines/line.ts'
import { describeMeasuredDiscount } from '../lines/payment-words.ts'
import { billingNav } from '../nav.ts'
import {
  type DiscountApprovalState,
  type QuoteRecord,
  useQuoteAction,
  useQuoteMutation,
  useQuotePreview,
} from './data.web.ts'
import { discountApproval } from './quote.ts'

const APPROVAL_STATE_LABELS = {
  waiting: 'awaiting approval',
  approved: 'approved',
  rejected: 'declined',
  withdrawn: 'withdrawn',
} as const

/** A quote's discount approval requests, latest first; hidden if there are none. */
export function QuoteDiscountApprovals({ of }: { readonly of: Pick<QuoteRecord, 'id'> }) {
  const rows = useList(discountApproval, { quote: of.id, itemsPerPage: 20 }).data?.['hydra:member'] ?? []
  if (!rows.length) return null
  return (
    <section aria-labelledby="asked">
      <Title order={2} size="h4" id="asked" mb="xs">
        Discount approvals
      </Title>
      <ul className={css.list}>
        {rows.map((one) => (
          <li key={one.id} className={css.row}>
            <Text span size="sm">
              {formatMoney(one.discount, one.currency)} off {formatMoney(one.subtotal, one.currency)}{' '}
              {APPROVAL_STATE_LABELS[one.state]}
              {one.answer && `: ${one.answer}`}. “{one.reason}” <PersonName username={one.author} />
            </Text>
            <DateTimeText at={one.decidedAt ?? one.createdAt} day />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface DraftProps {
  /** The saved quote; `undefined` before the first save. */
  readonly of: QuoteRecord | undefined
  /** Whether the form shows changes that are not saved yet. */
  readonly isChanged: boolean
  readonly currency: Currency
  readonly discount: MeasuredDiscount
}

/**
 * A draft's discount above the limit, shown while the quote is being written: the limit, and the state of the request
 * to approve the discount. Shows nothing for a discount within the limit.
 */
export function DraftDiscountNotice({ of, isChanged, currency, discount }: DraftProps) {
  const isGiven = discount.discount > 0
  const [rules] = useList(quoteSettings, {}, { enabled: isGiven }).data?.['hydra:member'] ?? []
  const isAbove = isGiven && rules !== undefined && isDiscountAboveLimit(discount, rules)
  const isSaved = of !== undefined && !isChanged
  if (!isAbove) return null
  return isSaved ? (
    <SavedDiscountNotice of={of} />
  ) : (
    <Alert color="yellow" role="status" title="Discount needs approval">
      {describeDiscountAboveLimit(
        discount,
        currency,
        { limitPercent: rules.discountLimitPercent, limitAmount: rules.discountLimitAmount },
        'send the quote',
      )}{' '}
      Save the draft to request approval.
    </Alert>
  )
}

function SavedDiscountNotice({ of }: { readonly of: QuoteRecord }) {
  const approval = useQuotePreview(of, true).data?.approval
  return approval ? <DiscountApprovalNotice of={of} approval={approval} /> : null
}

/** States the discount and the limit. `next` names the step that approval allows, such as `send the quote`. */
export const describeDiscountAboveLimit = (
  discount: Pick<MeasuredDiscount, 'discount' | 'isRecurring'>,
  currency: Currency,
  limit: { readonly limitPercent: number; readonly limitAmount: number },
  next: string,
) =>
  `The total discount is ${describeMeasuredDiscount(discount, currency)}. More than ${limit.limitPercent}% off a line, or a total of more than ${formatMoney(limit.limitAmount, currency)}, must be approved by another person before you can ${next}.`

interface NoticeProps {
  readonly of: QuoteRecord
  readonly approval: DiscountApprovalState
}

/** State of a saved quote's discount above the limit, with the next step: request approval, wait, withdraw or send. */
export function DiscountApprovalNotice({ of, approval }: NoticeProps) {
  const { username } = useMe()
  const { state, since, request, author } = approval
  const ask = useQuoteAction(of, 'ask-approval')
  const withdraw = useQuoteMutation(() => callApi('POST', `${request}/withdraw`))
  if (state === 'approved')
    return (
      <Alert color="green" role="status" title="Discount approved">
        You can send the quote. If you change the discount, it needs approval again.
      </Alert>
    )
  if (state === 'waiting')
    return (
      <Alert
        color="yellow"
        role="status"
        title={
          <>
            Waiting for approval since <DateTimeText at={since} />
          </>
        }
      >
        <Group justify="space-between">
          <Text size="sm">
            Requested by <PersonName username={author} />. The approvers have been notified, and the result will appear
            here.
          </Text>
          {author === username && (
            <Button
              size="xs"
              variant="default"
              loading={withdraw.isPending}
              onClick={() => withdraw.mutate(undefined, { onError: (e) => toast.failed(e) })}
            >
              Withdraw
            </Button>
          )}
        </Group>
      </Alert>
    )
  return (
    <DiscountRequest
      approval={approval}
      limit={describeDiscountAboveLimit(approval, of.currency, approval, 'send the quote')}
      alternative="Reduce the discount"
      request={{ ...ask, send: (reason) => ask.mutate({ reason }) }}
    />
  )
}

interface RequestProps {
  readonly approval: DiscountApprovalState
  /** Text that describes the discount above the limit. */
  readonly limit: string
  /** Alternative after a refusal, such as "Reduce the discount". */
  readonly alternative: string
  readonly request: {
    readonly send: (reason: string) => void
    readonly isPending: boolean
    readonly error: Error | null
  }
}

/**
 * Fields to request approval for a discount above the limit, with a reason. They are not an HTML form, because they are
 * also used inside the form for changing a subscription.
 */
export function DiscountRequest({ approval, limit, alternative, request }: RequestProps) {
  const [reason, setReason] = useState('')
  const isDeclined = approval.state === 'rejected'
  const former = approval.answer && `Reason: ${approval.answer}. `
  const send = () => {
    if (reason.trim() && !request.isPending) request.send(reason.trim())
  }
  return (
    <Alert
      color={isDeclined ? 'red' : 'yellow'}
      role="status"
      title={isDeclined ? 'Discount declined' : 'Discount needs approval'}
    >
      <Stack gap="sm">
        <Text size="sm">{isDeclined ? `${former}${alternative}, or request approval again.` : limit}</Text>
        <TextInput
          label="Reason for this discount (Required)"
          description="Shown to the person who approves the discount."
          maxLength={500}
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key !== 'Enter') return
            e.preventDefault()
            send()
          }}
        />
        {request.error && <ErrorText>{errorSentence(request.error)}</ErrorText>}
        <Group>
          <Button variant="default" loading={request.isPending} disabled={!reason.trim()} onClick={send}>
            Request approval
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

/** Maximum numbers of requests that are fetched and that a dashboard shows. */
const [MAX_APPROVALS, MAX_SHOWN_ON_DASHBOARD] = [100, 6]

/** Discounts that the user can approve, oldest first. */
export function DiscountsToApprove() {
  const actor = useActor()
  const waiting = useList(discountApproval, { state: 'waiting', 'order[id]': 'asc', itemsPerPage: MAX_APPROVALS })
  const rows = (waiting.data?.['hydra:member'] ?? []).filter((one) =>
    isActionAllowedOnRecord(actor, 'approve', discountApproval, one),
  )
  if (!rows.length) return null
  return (
    <DashboardSection
      title={`Discounts to approve (${rows.length})`}
      loading={false}
      error={null}
      onRetry={() => undefined}
      action={
        <Anchor component={Link} to={billingNav.approvals.path}>
          Approvals
        </Anchor>
      }
    >
      <PendingWorkRows
        rows={rows.slice(0, MAX_SHOWN_ON_DASHBOARD).map((one) => ({
          key: one.id,
          row: (
            <PendingWorkRow
              to={billingNav.approvals.path}
              title={one.quote.company || one.customer.companyName || one.quote.reference || 'Quote'}
              detail={`${one.quote.reference}, ${formatMoney(one.discount, one.currency)} off ${formatMoney(one.subtotal, one.currency)}`}
            >
              <RelativeTimeText at={one.createdAt} />
            </PendingWorkRow>
          ),
        }))}
      />
    </DashboardSection>
  )
}
