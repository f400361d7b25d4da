import { Alert, Button, Checkbox, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { withTimeout } from '#web/api/with-timeout.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { CardEntryFrame } from '../cards/card-page.web.tsx'
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
    refetchInterval: ({ state }) => (state.data?.underWay ? LOOK_AGAIN : false),
  })
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
        (it.underWay ? (
          <Alert color="blue" role="status" title="Your payment is pending">
            The bank has not confirmed the payment yet. This page updates automatically. Please do not pay again.
          </Alert>
        ) : (
          <>
            {it.card && <Pay at={at} of={it} />}
            <ByBank of={it} />
          </>
        ))}
      {it.state === 'void' && <Text>Nothing to pay.</Text>}
    </div>
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
