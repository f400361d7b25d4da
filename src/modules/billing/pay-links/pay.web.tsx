import { Alert, Button, Checkbox, Group, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { useMaybeMe } from '#web/api/me.ts'
import { withTimeout } from '#web/api/with-timeout.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { CardEntryFrame } from '../cards/card-page.web.tsx'
import { describeAccount, directDebitGuarantee } from '../payments/names.ts'
import css from './pay.module.css'
import type { PaymentPageData } from './payment-page.ts'

/** Polling interval for a pending payment, in milliseconds. */
const LOOK_AGAIN = 3000

const TITLES: Readonly<Record<PaymentPageData['state'], string>> = {
  draft: 'Your invoice',
  open: 'Pay your invoice',
  paid: 'Thank you. This invoice has been paid',
  void: 'This invoice was cancelled',
  uncollectible: 'This invoice is closed',
}

export default function PayPage() {
  const { token = '' } = useParams()
  const at = `/api/financial/payments/${token}`
  const found = useQuery({
    queryKey: [at],
    queryFn: ({ signal }) => callApi<PaymentPageData>('GET', at, undefined, { signal }),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.underWay && !state.data.mandate?.isCollecting ? LOOK_AGAIN : false),
  })
  const me = useMaybeMe()
  const it = found.data
  if (!it)
    return (
      <div className={css.open}>
        <PageTitle>{found.isError ? 'This link does not work' : 'Your invoice'}</PageTitle>
        {found.isError ? (
          <Alert color="red" role="alert">
            {errorSentence(found.error)}
          </Alert>
        ) : (
          <LoadingRows rows={6} />
        )}
      </div>
    )
  return (
    <div className={css.open}>
      {it.logo && <img className={css.logo} src={it.logo} alt={it.provider} />}
      <PageTitle>{TITLES[it.state]}</PageTitle>
      <div>
        <Text>
          Invoice {it.number}
          {it.date && ` of ${formatIsoDateAsUk(it.date)}`}, from {it.provider}
          {it.company && ` to ${it.company}`}
        </Text>
        <div className={css.due}>{formatMoney(it.state === 'open' ? it.amountDue : it.total, it.currency)}</div>
        {it.state === 'open' && <Text>{it.dueOn ? `Due by ${formatIsoDateAsUk(it.dueOn)}` : 'Amount due'}</Text>}
      </div>
      {it.state === 'open' &&
        (it.mandate?.isCollecting ? (
          <MandateState of={it} held={it.mandate} />
        ) : it.underWay ? (
          <Alert color="blue" role="status" title="Your payment is pending">
            The bank has not confirmed the payment yet. This page updates automatically. Please do not pay again.
          </Alert>
        ) : (
          <>
            {it.mandate && <MandateState of={it} held={it.mandate} />}
            {it.card && <Ways at={at} of={it} />}
            <ByBank of={it} />
          </>
        ))}
      {it.state === 'void' && <Text>Nothing to pay.</Text>}
      <Payments of={it} at={at} />
      <Lines of={it} />
      <Group>
        <Button component="a" href={`${at}/pdf`} download variant="default">
          Download invoice PDF
        </Button>
        {me && (
          <Button component={Link} to="/" variant="default">
            Back to the portal
          </Button>
        )}
      </Group>
    </div>
  )
}

/** Payments received, with a receipt. */
function Payments({ of, at }: { readonly of: PaymentPageData; readonly at: string }) {
  if (!of.payments.length) return null
  return (
    <section aria-labelledby="payments">
      <h2 id="payments">Payments received</h2>
      {of.payments.map(({ day, method, amount }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two payments may be equal, and their order never changes
        <Text key={n}>
          {formatMoney(amount, of.currency)}, {method}, {formatIsoDateAsUk(day)}
        </Text>
      ))}
      <Button component="a" href={`${at}/receipt`} download variant="default" mt="xs">
        Download receipt
      </Button>
    </section>
  )
}

/** Lines and totals of the invoice. */
function Lines({ of }: { readonly of: PaymentPageData }) {
  const money = (pence: number) => formatMoney(pence, of.currency)
  const sums = [
    ...(of.tax
      ? ([
          ['Net', of.net],
          ['VAT', of.tax],
        ] as const)
      : []),
    ['Total', of.total] as const,
  ]
  return (
    <section aria-labelledby="lines">
      <h2 id="lines">Invoice {of.number}</h2>
      <dl className={css.lines}>
        {of.lines.map(({ description, quantity, net }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be equal, and their order never changes
          <div key={n}>
            <dt>
              {description}
              {quantity !== 1 && ` × ${quantity.toLocaleString('en-GB')}`}
            </dt>
            <dd>{money(net)}</dd>
          </div>
        ))}
        {sums.map(([label, pence]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{money(pence)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Bank details for customers who don't pay by card. */
function ByBank({ of }: { readonly of: PaymentPageData }) {
  if (of.bank.length === 0)
    return of.card ? null : (
      <Text>
        Please ask {of.provider} how to pay, and quote {of.number} with your payment.
      </Text>
    )
  return (
    <section aria-labelledby="bank">
      <h2 id="bank">Pay by bank transfer</h2>
      {of.bank.map((line) => (
        <Text key={line}>{line}</Text>
      ))}
      <Text>Reference {of.number}</Text>
    </section>
  )
}

interface WayProps {
  readonly at: string
  readonly of: PaymentPageData
}

/** Choice between card and Direct Debit, if both are available. */
function Ways({ at, of }: WayProps) {
  const [isDebit, setDebit] = useState(false)
  if (of.debit && isDebit) return <DebitForm at={at} of={of} offer={of.debit} onBack={() => setDebit(false)} />
  return (
    <>
      <Pay at={at} of={of} />
      {of.debit && (
        <Button variant="default" onClick={() => setDebit(true)}>
          Pay by Direct Debit
        </Button>
      )}
    </>
  )
}

/** State of the customer's Direct Debit, and the day of the next collection. */
function MandateState({ of, held }: { readonly of: PaymentPageData; readonly held: Mandate }) {
  const amount = formatMoney(of.amountDue, of.currency)
  const account = describeAccount(held)
  return (
    <Alert color="blue" role="status" title={held.isCollecting ? 'Your payment is pending' : 'Direct Debit is set up'}>
      {held.isCollecting
        ? `${amount} is being collected by Direct Debit from the ${account}. Banks take about three working days. Please do not pay again.`
        : held.collectOn
          ? `${amount} will be collected from the ${account} on ${formatIsoDateAsUk(held.collectOn)} or shortly after. You don’t need to do anything.`
          : `Before we collect ${amount} from the ${account}, you will get an e-mail with the date.`}{' '}
      It will appear on your bank statement as {held.serviceName}
      {held.reference && `, reference ${held.reference}`}.
    </Alert>
  )
}

type Mandate = NonNullable<PaymentPageData['mandate']>
type DebitStep = 'authority' | 'account' | 'confirm'
const EMPTY_ACCOUNT = { holder: '', sortCode: '', accountNumber: '' }
const ACCOUNT_FIELDS = [
  ['holder', 'Name on the account', {}],
  ['sortCode', 'Sort code', { inputMode: 'numeric', placeholder: '00-00-00', maxLength: 10 }],
  ['accountNumber', 'Account number', { inputMode: 'numeric', maxLength: 10 }],
] as const

/** Form for a Direct Debit Instruction, in steps with one decision each. */
function DebitForm({ at, of, offer, onBack }: WayProps & DebitFormProps) {
  const queries = useQueryClient()
  const [step, setStep] = useState<DebitStep>('authority')
  const [account, setAccount] = useState(EMPTY_ACCOUNT)
  const sign = useMutation({
    mutationFn: () =>
      withTimeout((signal) =>
        callApi<PaymentPageData>('POST', `${at}/mandate`, { ...account, authorised: true }, { signal }),
      ),
    onSuccess: (answer) => {
      queries.setQueryData([at], answer)
      scrollTo({ top: 0 })
    },
    onError: (e) => {
      if (e instanceof ApiError && e.violations.length) setStep('account')
      // The instruction may have been set up despite the error.
      void queries.invalidateQueries({ queryKey: [at] })
    },
  })
  const problemOf = (field: string) =>
    sign.error instanceof ApiError
      ? sign.error.violations.find((one) => one.propertyPath === field)?.message
      : undefined
  const isListed = ACCOUNT_FIELDS.some(([field]) => problemOf(field))
  return (
    <section aria-labelledby="debit">
      <h2 id="debit">Pay by Direct Debit</h2>
      {sign.isError && !isListed && (
        <Alert color="red" role="alert" title="The Direct Debit was not set up" mb="md">
          {errorSentence(sign.error)}
        </Alert>
      )}
      {step === 'authority' && (
        <>
          <Text mb="md">Are you the account holder, and can you authorise Direct Debits from this account alone?</Text>
          <Group>
            <Button onClick={() => setStep('account')}>Yes, I can</Button>
            <Button variant="default" onClick={onBack}>
              No, pay another way
            </Button>
          </Group>
        </>
      )}
      {step === 'account' && (
        <form
          onSubmit={(e) => {
            e.preventDefault()
            sign.reset()
            setStep('confirm')
          }}
        >
          {ACCOUNT_FIELDS.map(([field, label, more]) => (
            <TextInput
              key={field}
              mb="md"
              label={label}
              required
              autoComplete="off"
              maxLength={100}
              {...more}
              value={account[field]}
              error={problemOf(field)}
              onChange={(e) => setAccount({ ...account, [field]: e.currentTarget.value })}
            />
          ))}
          <Group>
            <Button type="submit">Continue</Button>
            <Button variant="default" onClick={onBack}>
              Pay another way
            </Button>
          </Group>
        </form>
      )}
      {step === 'confirm' && (
        <>
          <h3>Instruction to your bank or building society to pay by Direct Debit</h3>
          <Text mb="md">
            Account holder {account.holder}, sort code {account.sortCode}, account number {account.accountNumber}.
            Payments will appear on your bank statement as {offer.serviceName}.
          </Text>
          <Text mb="md">
            Please pay {offer.serviceName} Direct Debits from the account detailed in this Instruction, subject to the
            safeguards assured by the Direct Debit Guarantee. I understand that this Instruction may remain with{' '}
            {offer.serviceName} and, if so, details will be passed electronically to my bank or building society.
          </Text>
          <Text mb="md">
            {formatMoney(of.amountDue, of.currency)} for this invoice and what is due on later invoices from{' '}
            {of.provider} will be collected from this account. You will get an e-mail with each amount and date at least{' '}
            {offer.noticeDays} working days before.
          </Text>
          <Group mb="md">
            <Button loading={sign.isPending} onClick={() => sign.mutate()}>
              Set up Direct Debit
            </Button>
            <Button variant="default" disabled={sign.isPending} onClick={() => setStep('account')}>
              Change details
            </Button>
          </Group>
          <h3>The Direct Debit Guarantee</h3>
          <ul>
            {directDebitGuarantee(offer.serviceName, offer.noticeDays).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

interface DebitFormProps {
  readonly offer: NonNullable<PaymentPageData['debit']>
  readonly onBack: () => void
}

function Pay({ at, of }: { readonly at: string; readonly of: PaymentPageData }) {
  const queries = useQueryClient()
  const [entering, setEntering] = useState(0)
  const [keep, setKeep] = useState(false)
  const pay = useMutation({
    mutationFn: (card: string) =>
      withTimeout((signal) =>
        callApi<PaymentPageData>('POST', `${at}/pay`, { card, keep, amountDue: of.amountDue }, { signal }),
      ),
    onSuccess: (answer) => {
      queries.setQueryData([at], answer)
      scrollTo({ top: 0 })
    },
    // Refetches the page, because the payment may have succeeded despite the error.
    onError: () => void queries.invalidateQueries({ queryKey: [at] }),
  })
  const again = () => {
    pay.reset()
    setEntering((n) => n + 1)
  }
  if (pay.isPending) return <LoadingRows rows={4} />
  if (pay.isError)
    return (
      <>
        <Alert color="red" role="alert" title="Payment failed">
          {errorSentence(pay.error)}
        </Alert>
        <Button onClick={again}>Try another card</Button>
      </>
    )
  const amount = formatMoney(of.amountDue, of.currency)
  return (
    <>
      <Checkbox
        className={css.keep ?? ''}
        label="Save this card for later invoices"
        description={`${of.provider} can then charge this card automatically when an invoice is due. Otherwise the card is not saved.`}
        checked={keep}
        onChange={(e) => setKeep(e.currentTarget.checked)}
      />
      {entering ? (
        <CardEntryFrame
          key={entering}
          at={`${at}/card`}
          body={{}}
          action={`Pay ${amount}`}
          onEntered={(card) => pay.mutate(card)}
        />
      ) : (
        <Button onClick={again}>Pay {amount} by card</Button>
      )}
    </>
  )
}
