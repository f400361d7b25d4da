import { Alert, Anchor, Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router'
import { labelFromName } from '#kernel/fields.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { recordQueryOptions, useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { charge, isByPaymentService, PAYMENT_METHODS, refund } from './charge.ts'
import { ChargeChip, RefundChip } from './chips.web.tsx'
import { type ChargeRecord, PENDING_PAYMENT_POLL_MS, type RefundRecord } from './data.web.ts'
import { describeAccount, describeCard, PAY_LINK_AUTHOR, paymentServiceName } from './names.ts'
import { RefundForm, UNDO_TEXT, UndoPaymentForm } from './refund-form.web.tsx'
import { RefundApprovalActions } from './second-person.web.tsx'

export default function ChargePage() {
  const { id = '' } = useParams()
  const one = useQuery({
    ...recordQueryOptions(charge, id),
    refetchInterval: ({ state }) =>
      state.data?.state === 'pending' || state.data?.amountRefunding ? PENDING_PAYMENT_POLL_MS : false,
  })
  const list = useList(
    { ...refund, url: `${iriOf(charge, id)}/refunds` },
    {},
    { enabled: one.data !== undefined, refetchInterval: one.data?.amountRefunding ? PENDING_PAYMENT_POLL_MS : false },
  )
  const c = one.data
  const places = useBillingUrls()
  const refunds = list.data?.['hydra:member']
  if (!c || (!refunds && !list.isError))
    return (
      <Page title="Payment">
        {one.isError ? <ErrorState error={one.error} onRetry={() => void one.refetch()} /> : <LoadingRows />}
      </Page>
    )
  return (
    <Page
      title={`Payment ${c.id}`}
      beside={<ChargeChip state={c.state} />}
      back={{ label: 'All payments', to: getListReturnPath(places.charges) }}
    >
      <OfflineNotice />
      <Told of={c} />
      <div className={page.columns}>
        <Refunds of={c} rows={refunds} error={list.error} onRetry={() => void list.refetch()} />
        <Facts of={c} />
      </div>
    </Page>
  )
}

function Told({ of }: { readonly of: ChargeRecord }) {
  if (of.state === 'failed')
    return (
      <Alert color="red" title="This payment failed">
        {of.failure || 'The payment service gave no reason.'}
        {of.hard &&
          (of.mandate
            ? ' Nothing more is collected from this account. Ask the customer to pay another way.'
            : ' This card is permanently declined. Ask the customer for another card.')}
      </Alert>
    )
  if (of.state === 'pending')
    return (
      <Alert color="blue" title="This payment is pending">
        The payment service has not confirmed the result yet. We check the payment automatically. Do not take the
        payment again.
      </Alert>
    )
  if (of.state === 'reversed')
    return (
      <Alert color="yellow" title="This payment was recorded in error and has been reversed">
        {of.reversalReason}. Nothing was refunded. Reversed by <PersonName username={of.reversedBy} />,{' '}
        <DateTimeText at={of.reversedAt} />.
      </Alert>
    )
  if (of.state === 'disputed')
    return (
      <Alert color="red" title={of.dispute === 'lost' ? 'Dispute lost' : 'This payment is disputed'}>
        {of.mandate ? 'The customer’s bank has claimed back' : 'The cardholder has disputed'}{' '}
        {formatMoney(of.amountDisputed, of.currency)}
        {of.disputeReason && ` (${of.disputeReason})`}.{' '}
        {of.dispute === 'open' &&
          `Respond through ${paymentServiceName(of.gateway)}. The money is withheld until the bank has decided.`}
      </Alert>
    )
  return null
}

function Facts({ of }: { readonly of: ChargeRecord }) {
  const places = useBillingUrls()
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      'Customer',
      <Anchor key="customer" component={Link} to={places.customer(of.customer.id)}>
        {of.customer.companyName ?? of.customer.contactName ?? of.customer.email}
      </Anchor>,
    ],
    ...(of.invoice
      ? [
          [
            'Invoice',
            <Anchor key="invoice" component={Link} to={places.invoice(of.invoice.id)}>
              {of.invoice.number}
            </Anchor>,
          ] as const,
        ]
      : []),
    ['Amount', formatMoney(of.amount, of.currency)],
    [
      'Method',
      of.card
        ? describeCard(of.card)
        : of.mandate
          ? `Direct Debit, ${describeAccount(of.mandate)}`
          : PAYMENT_METHODS.find((m) => m.value === of.method)?.label,
    ],
    ...(of.gateway ? [['Payment service', paymentServiceName(of.gateway)] as const] : []),
    ...(of.gatewayRef ? [['Payment service reference', of.gatewayRef] as const] : []),
    ...(of.reference ? [['Reference', of.reference] as const] : []),
    ...(of.bankLine ? [['Source', 'Bank statement'] as const] : []),
    ...(of.fee ? [['Fee', formatMoney(of.fee, of.currency)] as const] : []),
    ...(of.disputeFee ? [['Dispute fee', formatMoney(of.disputeFee, of.currency)] as const] : []),
    ['Received', <DateTimeText key="received" at={of.receivedAt} />],
    of.createdBy === PAY_LINK_AUTHOR
      ? ['Paid by', `${of.customer.companyName ?? 'The customer'}, by payment link`]
      : ['Recorded by', <PersonName key="by" username={of.createdBy} />],
    ...(of.notes ? [['Notes', of.notes] as const] : []),
  ]
  return (
    <section className={page.card} aria-labelledby="facts">
      <Title order={2} size="h4" id="facts">
        Details
      </Title>
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface RefundsProps {
  readonly of: ChargeRecord
  readonly rows: readonly RefundRecord[] | undefined
  readonly error: Error | null
  readonly onRetry: () => void
}

function Refunds({ of, rows, error, onRetry }: RefundsProps) {
  const actor = useActor()
  const [open, setOpen] = useState(false)
  const [undoing, setUndoing] = useState(false)
  const close = () => setOpen(false)
  const free = of.refundable ?? 0
  const isReversible =
    !isByPaymentService({ method: of.method }) && of.state === 'succeeded' && !of.amountRefunded && !of.amountRefunding
  const undo = of.bankLine ? 'Undo match' : 'Undo this payment'
  return (
    <section className={page.card} aria-labelledby="refunds">
      <div className={css.head}>
        <Title order={2} size="h4" id="refunds">
          Refunds
        </Title>
        {hasRole(actor, FINANCE_ROLES) && (
          <Group gap="sm">
            {isReversible && (
              <Button variant="default" onClick={() => setUndoing(true)}>
                {undo}
              </Button>
            )}
            {free > 0 && <Button onClick={() => setOpen(true)}>Refund</Button>}
          </Group>
        )}
      </div>
      <div>
        <div className={css.balance}>{formatMoney(free, of.currency)}</div>
        <Text size="sm">Refundable{whyNot(of)}</Text>
      </div>
      {error && <ErrorState error={error} onRetry={onRetry} />}
      {rows && rows.length > 0 && (
        <ul className={css.list} aria-label="Refunds of this payment">
          {rows.map((r) => (
            <li key={r.id} className={css.row}>
              <span>
                {r.reason}
                <Text size="sm" c="dimmed">
                  {r.createdBy ? <PersonName username={r.createdBy} /> : paymentServiceName(of.gateway)},{' '}
                  <DateTimeText at={r.createdAt} />
                </Text>
                {r.state === 'failed' && r.failure && <Text size="sm">{r.failure}</Text>}
                <RefundApprovalActions of={r} />
              </span>
              <RefundChip state={r.state} />
              <span className={css.money}>{formatMoney(r.amount, r.currency)}</span>
            </li>
          ))}
        </ul>
      )}
      <Dialog opened={open} onClose={close} title={`Refund payment ${of.id}`} size="32rem">
        <RefundForm of={of} onDone={close} />
      </Dialog>
      <Dialog opened={undoing} onClose={() => setUndoing(false)} title={`${undo}: payment ${of.id}`} size="32rem">
        <UndoPaymentForm
          url={of.bankLine ? `${of.bankLine}/unmatch` : `${of['@id']}/reverse`}
          action={undo}
          done={of.bankLine ? 'Match undone.' : 'Payment undone.'}
          onDone={() => setUndoing(false)}
        >
          {UNDO_TEXT}
          {of.bankLine && ' If the bank line was split, all its payments are undone.'}
        </UndoPaymentForm>
      </Dialog>
    </section>
  )
}

/** Returns text that explains the refundable amount, such as `: £5.00 refunded`; may be empty. */
function whyNot({ state, refundable, amountRefunded, amountRefunding, currency }: ChargeRecord): string {
  if (state !== 'succeeded') return `: the status of this payment is ${labelFromName(state).toLowerCase()}`
  const parts = [
    ...(amountRefunded ? [`${formatMoney(amountRefunded, currency)} refunded`] : []),
    ...(amountRefunding ? [`${formatMoney(amountRefunding, currency)} in pending refunds`] : []),
  ]
  if (parts.length) return `: ${parts.join(', ')}`
  return refundable ? ': nothing refunded yet' : ''
}
