import { Alert, Anchor, Button, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { type SignatureValue, signatureProblems } from '#kernel/signature.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { withTimeout } from '#web/api/with-timeout.ts'
import { EMPTY_SIGNATURE, SignaturePad } from '#web/forms/inputs/signature-pad.tsx'
import { inputErrorSentence } from '#web/forms/sentence-for-input.ts'
import { usePortalInfo } from '#web/shell/pages/facts.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { describeQuotePayments } from '../lines/payment-words.ts'
import { QuoteDocumentView } from '../print/quote-document.web.tsx'
import css from './acceptance.module.css'
import type { QuoteAcceptance } from './acceptance.ts'

const TITLES: Readonly<Record<QuoteAcceptance['state'], string>> = {
  open: 'Your quote',
  accepted: 'Thank you',
  declined: 'This quote was declined',
  expired: 'This quote has expired',
  cancelled: 'This quote has been withdrawn',
  replaced: 'There is a newer version of this quote',
}

/** Public page for a quote link: the quote, its terms and, last, the decision with the signature. */
export default function AcceptancePage() {
  const { token = '' } = useParams()
  const at = `/api/financial/acceptances/${token}`
  const found = useQuery({
    queryKey: [at],
    queryFn: ({ signal }) => callApi<QuoteAcceptance>('GET', at, undefined, { signal }),
    retry: false,
  })
  const it = found.data
  const isOpen = it?.state === 'open'
  useEffect(() => {
    // Records when the page is first opened. If this fails, the customer must still be able to read the quote.
    if (isOpen) callApi('POST', `${at}/opened`, {}, { byItself: true }).catch(() => undefined)
  }, [at, isOpen])
  if (!it)
    return (
      <div className={css.open}>
        <PageTitle>{found.isError ? 'This link does not work' : 'Your quote'}</PageTitle>
        {found.isError ? (
          <Alert color="red" role="alert">
            {errorSentence(found.error)}
          </Alert>
        ) : (
          <LoadingRows rows={10} />
        )}
      </div>
    )
  return (
    <div className={css.open}>
      <PageTitle>{TITLES[it.state]}</PageTitle>
      {it.state !== 'open' && (
        <Alert color={it.state === 'accepted' ? 'green' : 'yellow'} role="status">
          {it.sentence}
        </Alert>
      )}
      {it.state === 'accepted' && <PayInvoices at={at} of={it} />}
      {it.state === 'accepted' && <NextSteps of={it} />}
      <QuoteDocumentView paper={it.paper} provider={it.provider} logo={it.logo ?? undefined} />
      <Group className={css.big ?? ''}>
        <Button
          component="a"
          href={`${at}/pdf`}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download PDF
        </Button>
      </Group>
      {it.state === 'open' && <Decide at={at} of={it} />}
      <Contact of={it} />
    </div>
  )
}

/** Unpaid invoices of the accepted quote: a button to pay each by card, and the bank details with the reference. */
function PayInvoices({ at, of: { made, payment, paper } }: { readonly at: string; readonly of: QuoteAcceptance }) {
  const pay = useMutation({
    mutationFn: (number: string) => callApi<{ url: string }>('POST', `${at}/pay`, { number }),
    onSuccess: ({ url }) => location.assign(new URL(url).pathname),
  })
  const due = made?.invoices.filter(({ isPaid }) => !isPaid) ?? []
  if (!payment || !due.length || !(payment.card || payment.bank.length)) return null
  return (
    <section aria-labelledby="pay">
      <Title order={2} size="h3" id="pay" mb="xs">
        Pay now
      </Title>
      <NotSaved error={pay.error} title="The payment page could not be opened" />
      {due.map(({ number, total }) => (
        <Stack key={number} gap="xs" align="flex-start" mb="md">
          {payment.card && (
            <Button loading={pay.isPending} onClick={() => pay.mutate(number)}>
              Pay {formatMoney(total, paper.currency)} online
            </Button>
          )}
          {payment.bank.length > 0 && (
            <Text>
              {payment.card ? 'Or by' : 'By'} bank transfer: {payment.bank.join(', ')}. Reference {number}.
            </Text>
          )}
        </Stack>
      ))}
    </section>
  )
}

/** Next steps after the signature. Only steps that are certain are shown. */
function NextSteps({ of: { paper, provider, emailTo, made } }: { readonly of: QuoteAcceptance }) {
  const mails = usePortalInfo()?.mail ?? false
  const payments = describeQuotePayments({ total: paper.totals.gross, totals: paper.totals, currency: paper.currency })
  return (
    <section aria-labelledby="next">
      <Title order={2} size="h3" id="next" mb="xs">
        What happens next
      </Title>
      <ol className={css.steps}>
        {emailTo && mails && <li>We will send a copy of the signed quote to {emailTo}.</li>}
        {made?.invoices.map(({ number, total, dueOn, isPaid }) => (
          <li key={number}>
            Invoice {number} for {formatMoney(total, paper.currency)}{' '}
            {isPaid ? 'has been paid' : dueOn ? `is due by ${formatIsoDateAsUk(dueOn)}` : 'is due'}.
          </li>
        ))}
        {made?.subscriptions.map(({ rhythm, nextOn }) => (
          <li key={`${rhythm} ${nextOn}`}>
            Your subscription is invoiced {rhythm}, next on {formatIsoDateAsUk(nextOn)}.
          </li>
        ))}
        {!made?.invoices.length && (
          <li>
            {paper.owner?.name || provider} has been notified that you have signed, and will arrange payment with you:{' '}
            {payments}.
          </li>
        )}
        {!made?.invoices.some(({ isPaid }) => !isPaid) && <li>You don’t need to do anything else for now.</li>}
        <li>You can download the PDF at any time.</li>
      </ol>
    </section>
  )
}

function Contact({ of: { paper, provider } }: { readonly of: QuoteAcceptance }) {
  const { owner } = paper
  return (
    <Text size="sm">
      Questions? Contact {owner?.name || provider}
      {owner?.telephone && (
        <>
          {' on '}
          <Anchor href={`tel:${owner.telephone.replaceAll(' ', '')}`}>{owner.telephone}</Anchor>
        </>
      )}
      {owner?.email && (
        <>
          {owner.telephone ? ' or ' : ' at '}
          <Anchor href={`mailto:${owner.email}`}>{owner.email}</Anchor>
        </>
      )}
      .
    </Text>
  )
}

/** Error message right above the button, scrolled into view. */
function NotSaved({ error, title = 'Not saved' }: { readonly error: Error | null; readonly title?: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) box.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  if (!error) return null
  return (
    <Alert ref={box} color="red" role="alert" title={title}>
      {inputErrorSentence(error)}
    </Alert>
  )
}

interface InvoiceAddress {
  readonly address1: string
  readonly city: string
  readonly postcode: string
}

interface AddressInputsProps {
  readonly value: InvoiceAddress
  /** True if a VAT invoice to an address in this country needs a postcode. */
  readonly hasPostcode: boolean
  readonly onChange: (value: InvoiceAddress) => void
}

/** Address for invoices. Optional, because the quote can be accepted without it. */
function AddressInputs({ value, hasPostcode, onChange }: AddressInputsProps) {
  return (
    <fieldset className={css.address}>
      <legend>Address for your invoice</legend>
      <Text size="sm">A VAT invoice states your full business address. Without it, your invoice will be delayed.</Text>
      <TextInput
        label="Street"
        autoComplete="street-address"
        maxLength={255}
        value={value.address1}
        onChange={(e) => onChange({ ...value, address1: e.currentTarget.value })}
      />
      <TextInput
        label="Town or city"
        autoComplete="address-level2"
        maxLength={255}
        value={value.city}
        onChange={(e) => onChange({ ...value, city: e.currentTarget.value })}
      />
      <TextInput
        label={hasPostcode ? 'Postcode' : 'Postcode (optional)'}
        autoComplete="postal-code"
        maxLength={20}
        value={value.postcode}
        onChange={(e) => onChange({ ...value, postcode: e.currentTarget.value })}
      />
    </fieldset>
  )
}

function Decide({ at, of }: { readonly at: string; readonly of: QuoteAcceptance }) {
  const queries = useQueryClient()
  const [signature, setSignature] = useState<SignatureValue>({ ...EMPTY_SIGNATURE, name: of.paper.contactName })
  const [address, setAddress] = useState({ address1: '', city: '', postcode: '' })
  const [tried, setTried] = useState(false)
  const [declining, setDeclining] = useState(false)
  const [reason, setReason] = useState('')
  const [name, setName] = useState(of.paper.contactName)
  const decided = {
    onSuccess: (answer: QuoteAcceptance) => {
      queries.setQueryData([at], answer)
      scrollTo({ top: 0 })
    },
    // Refetches the quote, because another decision may have been made first.
    onError: () => void queries.invalidateQueries({ queryKey: [at] }),
  }
  /** Cancels pending queries, because an older response must not overwrite the decision. */
  const decide = async (how: string, what: object) => {
    await queries.cancelQueries({ queryKey: [at] })
    return withTimeout((signal) => callApi<QuoteAcceptance>('POST', `${at}/${how}`, what, { signal }))
  }
  const accept = useMutation({
    mutationFn: () => decide('accept', { signature, ...(of.asksAddress ? { billingAddress: address } : {}) }),
    ...decided,
  })
  const decline = useMutation({ mutationFn: () => decide('decline', { reason, name }), ...decided })
  const wrong = tried ? signatureProblems(signature) : []
  const problem = (field: string) => wrong.find((v) => v.propertyPath === field)?.message
  return (
    <Stack gap="lg" className={css.big ?? ''}>
      {declining ? (
        <form
          onSubmit={(e) => {
            e.preventDefault()
            decline.mutate()
          }}
        >
          <Stack>
            <Title order={2}>Decline this quote</Title>
            <TextInput
              label="Your name"
              autoComplete="name"
              value={name}
              onChange={(e) => setName(e.currentTarget.value)}
            />
            <Textarea
              label="Reason (optional)"
              description="This helps us make a better offer."
              autosize
              minRows={3}
              maxLength={1000}
              value={reason}
              onChange={(e) => setReason(e.currentTarget.value)}
            />
            <NotSaved error={decline.error} />
            <Group>
              <Button type="submit" color="red.8" loading={decline.isPending}>
                Decline quote
              </Button>
              <Button variant="default" onClick={() => setDeclining(false)}>
                Go back
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <form
          noValidate
          onSubmit={(e) => {
            e.preventDefault()
            setTried(true)
            if (!signatureProblems(signature).length) accept.mutate()
          }}
        >
          <Stack>
            <Title order={2}>Accept this quote</Title>
            <Text>
              By signing, you accept quote {of.paper.reference}
              {of.paper.company ? ` for ${of.paper.company}` : ''} and its terms, as shown above.
            </Text>
            {of.asksAddress && (
              <AddressInputs value={address} hasPostcode={of.asksAddress.postcode} onChange={setAddress} />
            )}
            <SignaturePad
              label="Your signature"
              value={signature}
              onChange={setSignature}
              errors={{ name: problem('name'), strokes: problem('strokes') }}
            />
            <NotSaved error={accept.error} />
            <Group>
              <Button type="submit" loading={accept.isPending}>
                Accept and sign
              </Button>
              <Button variant="default" onClick={() => setDeclining(true)}>
                Decline
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Stack>
  )
}
