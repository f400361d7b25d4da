import { Alert, Anchor, Title } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { endOfIri, idAtEnd, readId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { capitalise } from '#kernel/text.ts'
import { ukDateTime } from '#kernel/time.ts'
import { LazyLeadFiles as Files } from '#modules/crm/files/later.web.tsx'
import { LeadPeople } from '#modules/crm/people/of-lead.web.tsx'
import { useMe } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { SignatureDrawing } from '#web/forms/inputs/signature-pad.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import { useProviderName } from '#web/shell/pages/facts.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { useCongratulations } from '../congratulations/use-congratulations.web.tsx'
import { customer } from '../customers/customer.ts'
import { describePayments } from '../lines/sum.ts'
import { useBillingUrls, useIsProviderStaff } from '../places.web.ts'
import { buildQuoteDocument } from '../print/paper.ts'
import { QuoteDocumentView } from '../print/paper.web.tsx'
import { QuoteChip } from '../quotes/chip.web.tsx'
import { type LoadedQuote, type QuoteRecord, useQuote } from '../quotes/data.web.ts'
import { describeQuoteDelivery, useQuoteMails } from '../quotes/letters.web.ts'
import { QuoteBuilder } from './builder.web.tsx'
import { QuoteDiscountRequests } from './discounts-asked.web.tsx'
import css from './editing.module.css'
import { QuoteActions } from './head.web.tsx'
import { QuoteRevisions } from './history.web.tsx'

export default function QuotePage() {
  const { id } = useParams()
  const [search] = useSearchParams()
  const one = useQuote(id)
  const back = { label: 'All quotes', to: getListReturnPath(useBillingUrls().quotes) }
  const forWhom = readId(search.get('customer'))
  usePageTitle(one.data?.body.reference ?? undefined)
  if (id === undefined)
    return (
      <Page title="New quote" back={back}>
        <QuoteBuilder {...(forWhom !== undefined ? { customer: iriOf(customer, forWhom) } : {})} />
      </Page>
    )
  if (!one.data)
    return (
      <Page title="Quote" back={back}>
        {one.isError ? <ErrorState error={one.error} onRetry={() => void one.refetch()} /> : <LoadingRows />}
      </Page>
    )
  return <Known key={id} read={one.data} onReload={() => one.refetch()} />
}

function Known({ read, onReload }: { readonly read: LoadedQuote; readonly onReload: () => Promise<unknown> }) {
  const { body: q } = read
  const places = useBillingUrls()
  const isStaff = useIsProviderStaff()
  const back = { label: 'All quotes', to: getListReturnPath(places.quotes) }
  const [generation, setGeneration] = useState(0)
  const { username } = useMe()
  const [congratulate, congratulations] = useCongratulations()
  const [was, setWas] = useState(q.state)
  if (q.state !== was) {
    setWas(q.state)
    if (isStaff && was === 'open' && q.state === 'accepted' && q.ownedBy === username)
      congratulate(`${q.company || q.decidedBy} has accepted ${q.reference}.`)
  }
  return (
    <Page
      title={`Quote ${q.reference}`}
      beside={
        <>
          <QuoteChip of={q} />
          <Anchor component={Link} to={places.customer(q.customer.id)}>
            {q.company || q.customer.email}
          </Anchor>
        </>
      }
      back={back}
    >
      <OfflineNotice />
      <QuoteActions of={q} />
      {q.state === 'draft' ? (
        <QuoteBuilder
          key={generation}
          read={read}
          onReload={() => void onReload().then(() => setGeneration((n) => n + 1))}
        />
      ) : (
        <Sent of={q} />
      )}
      <QuoteRevisions of={q} />
      <QuoteDiscountRequests of={q} />
      {congratulations}
    </Page>
  )
}

function Sent({ of }: { readonly of: QuoteRecord }) {
  const provider = useProviderName()
  const places = useBillingUrls()
  const isStaff = useIsProviderStaff()
  const lead = idAtEnd(of.contact)
  return (
    <div className={css.builder}>
      <QuoteDocumentView paper={buildQuoteDocument(of, of.couponTerms)} provider={provider} />
      <div className={css.column}>
        <Decision of={of} />
        {of.state === 'accepted' && of.billedAt !== null && <RecordPanels record={of} />}
        {of.signature?.method === 'finger' && <SignatureDrawing of={of.signature} />}
        <Happened of={of} />
        {of.replacedBy && (
          <Anchor component={Link} to={places.quote(Number(endOfIri(String(of.replacedBy))))}>
            Replaced by a newer revision
          </Anchor>
        )}
        {lead !== undefined && (
          <section aria-labelledby="people">
            <Title order={2} size="h4" id="people" mb="xs">
              People
            </Title>
            <Anchor component={Link} to={`/crm/contact/view/${lead}`}>
              View lead
            </Anchor>
            <LeadPeople lead={lead} />
          </section>
        )}
        {isStaff && (
          <section aria-labelledby="files">
            <Title order={2} size="h4" id="files" mb="xs">
              Files
            </Title>
            {lead === undefined ? <Files of="customer" id={of.customer.id} /> : <Files of="lead" id={lead} />}
          </section>
        )}
      </div>
    </div>
  )
}

/** Events of the quote, latest first; of the customer, only the first opening is recorded. */
function Happened({ of }: { readonly of: QuoteRecord }) {
  const letters = useQuoteMails(of)
  const ended = {
    accepted: of.signature ? 'Signed' : 'Accepted by telephone',
    declined: 'Declined',
    cancelled: 'Cancelled',
  }[of.state as 'accepted'] as string | undefined
  const by = of.decidedBy && ` by ${of.decidedBy}`
  const told: readonly (readonly [string, string | null | undefined])[] = [
    ['Written', of.createdAt],
    [of.emailTo ? capitalise(describeQuoteDelivery(of, letters)) : 'Opened without an e-mail', of.sentAt],
    ['First opened by the customer', of.openedAt],
    ...(of.remindedAt ?? []).map((at) => ['Sent again', at] as const),
    ...(ended ? [[`${ended}${by}`, of.decidedAt] as const] : []),
  ]
  const known = told
    .flatMap(([words, at]) => (at ? [{ words, at: Temporal.Instant.from(at) }] : []))
    .toSorted((a, b) => Temporal.Instant.compare(b.at, a.at))
  return (
    <section aria-labelledby="happened">
      <Title order={2} size="h4" id="happened" mb="xs">
        History
      </Title>
      <ol className={css.happened}>
        {known.map(({ words, at }) => (
          <li key={`${words} ${at.toString()}`}>
            <span>{words}</span>
            <DateTimeText at={at.toString()} />
          </li>
        ))}
        {of.state === 'open' && of.sentAt && !of.openedAt && <li>Not opened by the customer yet</li>}
      </ol>
    </section>
  )
}

function Decision({ of }: { readonly of: QuoteRecord }) {
  const places = useBillingUrls()
  const isStaff = useIsProviderStaff()
  const at = of.decidedAt ? ` on ${ukDateTime(Temporal.Instant.from(of.decidedAt))}` : ''
  if (of.state === 'accepted')
    return (
      <Alert color="green">
        {of.decidedBy} accepted {of.signature ? 'and signed' : 'by telephone'}
        {at}
        {of.signature &&
          `, ${of.signature.method === 'finger' ? 'by hand' : 'by typing their name'}, from ${of.signature.address}`}
        {!of.signature && of.takenBy && `, call taken by ${of.takenBy}`}
        {of.poNumber && `, purchase order ${of.poNumber}`}.{' '}
        {!of.replacedBy && (
          <>
            {of.billedAt ? 'Agreed' : 'Next'}: {describePayments(of)}
            {of.billedAt ? '. ' : ' is due.'}
            <Anchor component={Link} to={places.customer(of.customer.id)}>
              {of.billedAt
                ? 'All invoices of this customer'
                : isStaff
                  ? 'Add a card or record the payment'
                  : 'Record the payment'}
            </Anchor>
          </>
        )}
      </Alert>
    )
  if (of.state === 'declined')
    return (
      <Alert color="red">
        Declined{of.decidedBy && ` by ${of.decidedBy}`}
        {at}.{of.reason && ` Reason: ${of.reason}`}
      </Alert>
    )
  if (of.state === 'expired')
    return <Alert color="yellow">No answer before the expiry date. Give more time, or make a new revision.</Alert>
  if (of.state === 'cancelled' && of.reason) return <Alert color="gray">Cancelled: {of.reason}</Alert>
  return null
}
