import { Alert, Anchor, Button, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { idFromAnyIri, lastIriSegment, parseId } from '#kernel/iri.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { formatUkDateTime } from '#kernel/time.ts'
import { LazyLeadFiles as Files } from '#modules/crm/files/lazy-files.web.tsx'
import { LeadPeople } from '#modules/crm/people/of-lead.web.tsx'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { SignatureDrawing } from '#web/forms/inputs/signature-pad.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import { useProviderName } from '#web/shell/pages/facts.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import billing from '../billing.module.css'
import { useBillingUrls, useIsProviderStaff } from '../billing-urls.web.ts'
import { customer } from '../customers/customer.ts'
import { describeLinePrice, diffQuoteLines, type QuoteLineDiff } from '../lines/line.ts'
import { describeQuotePayments } from '../lines/payment-words.ts'
import { buildQuoteDocument } from '../print/quote-document.ts'
import { QuoteDocumentView } from '../print/quote-document.web.tsx'
import { QuoteChip } from '../quotes/chip.web.tsx'
import {
  type LoadedQuote,
  type QuoteLineRecord,
  type QuoteRecord,
  useAreQuoteEmailsRead,
  useQuote,
  useQuoteDelivery,
  useQuotePreview,
} from '../quotes/data.web.ts'
import { QuoteDiscountApprovals } from '../quotes/discount-approval.web.tsx'
import { quote } from '../quotes/quote.ts'
import { QuoteBuilder } from './builder.web.tsx'
import css from './editing.module.css'
import { QuoteActionButtons } from './head.web.tsx'

function QuoteRevisions({ of }: { readonly of: QuoteRecord }) {
  const list = useList(quote, { number: of.number, 'order[id]': 'desc', itemsPerPage: 100 })
  const [against, setAgainst] = useState<number>()
  const places = useBillingUrls()
  const rows = list.data?.['hydra:member'] ?? []
  if (rows.length < 2) return null
  return (
    <section className={billing.card} aria-labelledby="revisions">
      <Title order={2} size="h4" id="revisions">
        Revisions
      </Title>
      <ul className={billing.list}>
        {rows.map((q) => (
          <li key={q.id} className={billing.row}>
            {q.id === of.id ? (
              <strong>{q.reference}, shown here</strong>
            ) : (
              <Anchor component={Link} to={places.quote(q.id)}>
                {q.reference}
              </Anchor>
            )}
            <QuoteChip of={q} />
            <DateTimeText at={q.sentAt ?? q.createdAt} />
            <span className={billing.money}>{formatMoney(q.total, q.currency)}</span>
            {q.id !== of.id && (
              <Button
                variant="default"
                aria-expanded={against === q.id}
                aria-label={`Compare with ${q.reference}`}
                onClick={() => setAgainst(against === q.id ? undefined : q.id)}
              >
                Compare
              </Button>
            )}
          </li>
        ))}
      </ul>
      {against !== undefined && <Difference id={against} other={of} />}
    </section>
  )
}

function Difference({ id, other }: { readonly id: number; readonly other: QuoteRecord }) {
  const read = useQuote(id).data
  if (!read) return <LoadingRows rows={3} />
  const [before, after] = id < other.id ? [read.body, other] : [other, read.body]
  const changes = diffQuoteLines(before, after)
  return (
    <table className={css.diff}>
      <caption>
        From {before.reference} to {after.reference}: {formatMoney(before.total, before.currency)} →{' '}
        {formatMoney(after.total, after.currency)}
      </caption>
      <thead>
        <tr>
          <th scope="col">Change</th>
          <th scope="col">{before.reference}</th>
          <th scope="col">{after.reference}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((c, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the difference has no other order
          <tr key={i}>
            <td>{CHANGE_LABELS[c.kind]}</td>
            <td className={c.kind === 'removed' || c.kind === 'changed' ? css.removed : undefined}>
              {lineText(c.before, before)}
            </td>
            <td className={c.kind === 'added' || c.kind === 'changed' ? css.added : undefined}>
              {lineText(c.after, after)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const CHANGE_LABELS: Readonly<Record<QuoteLineDiff<QuoteLineRecord>['kind'], string>> = {
  added: '+ Added',
  removed: '− Removed',
  changed: '± Changed',
  same: 'Unchanged',
}
const lineText = (l: QuoteLineRecord | undefined, q: QuoteRecord) =>
  l ? `${l.description}: ${describeLinePrice(l, q.currency)}` : ''

export default function QuotePage() {
  const { id } = useParams()
  const [search] = useSearchParams()
  const one = useQuote(id)
  const areEmailsRead = useAreQuoteEmailsRead(id)
  const back = { label: 'All quotes', to: getListReturnPath(useBillingUrls().quotes) }
  const forWhom = parseId(search.get('customer'))
  usePageTitle(one.data?.body.reference ?? undefined)
  if (id === undefined)
    return (
      <Page title="New quote" back={back}>
        <QuoteBuilder {...(forWhom !== undefined ? { customer: iriOf(customer, forWhom) } : {})} />
      </Page>
    )
  if (!one.data || !areEmailsRead)
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
  const back = { label: 'All quotes', to: getListReturnPath(places.quotes) }
  const [generation, setGeneration] = useState(0)
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
      <QuoteActionButtons of={q} />
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
      <QuoteDiscountApprovals of={q} />
    </Page>
  )
}

function Sent({ of }: { readonly of: QuoteRecord }) {
  const provider = useProviderName()
  const places = useBillingUrls()
  const isStaff = useIsProviderStaff()
  const lead = idFromAnyIri(of.contact)
  // The customer also sees an open quote with the invoices for acceptance today.
  const today = useQuotePreview(of, of.state === 'open').data
  const shown = { ...of, nextInvoices: today?.nextInvoices ?? of.nextInvoices }
  return (
    <div className={css.builder}>
      <QuoteDocumentView paper={buildQuoteDocument(shown, of.couponTerms)} provider={provider} />
      <div className={css.column}>
        <Decision of={of} />
        {of.state === 'accepted' && of.billedAt !== null && <RecordPanels record={of} />}
        {of.signature?.method === 'finger' && <SignatureDrawing of={of.signature} />}
        <Happened of={of} />
        {of.replacedBy && (
          <Anchor component={Link} to={places.quote(Number(lastIriSegment(String(of.replacedBy))))}>
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

/** The quote's events, latest first. Only the first time that the customer opens the quote is recorded. */
function Happened({ of }: { readonly of: QuoteRecord }) {
  const delivery = useQuoteDelivery(of)
  const ended = {
    accepted: of.signature ? 'Signed' : 'Accepted by telephone',
    declined: 'Declined',
    cancelled: 'Cancelled',
  }[of.state as 'accepted'] as string | undefined
  const by = of.decidedBy && ` by ${of.decidedBy}`
  const told: readonly (readonly [string, string | null | undefined])[] = [
    ['Created', of.createdAt],
    [delivery, of.sentAt],
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

/** Describes the link that a quote was signed with, as evidence of how it reached the customer. */
const describeLink = ({ link, linkAuthor, linkAddressee }: NonNullable<QuoteRecord['signature']>): string =>
  [
    `link ${link}`,
    linkAuthor && `created by ${linkAuthor}`,
    linkAddressee ? `for the e-mail to ${linkAddressee}` : 'not sent by e-mail',
  ]
    .filter(Boolean)
    .join(', ')

function Decision({ of }: { readonly of: QuoteRecord }) {
  const places = useBillingUrls()
  const isStaff = useIsProviderStaff()
  const at = of.decidedAt ? ` on ${formatUkDateTime(Temporal.Instant.from(of.decidedAt))}` : ''
  if (of.state === 'accepted')
    return (
      <Alert color="green">
        {of.decidedBy} accepted {of.takenBy ? 'by telephone' : 'and signed'}
        {at}
        {of.takenBy && (
          <>
            , call taken by <PersonName username={of.takenBy} />
          </>
        )}
        {of.takenBy && of.signature && `. ${of.signature.name} signed afterwards`}
        {of.signature &&
          `, ${of.signature.method === 'finger' ? 'by hand' : 'by typing their name'}, from ${of.signature.address}`}
        {of.signature?.link !== undefined && `, with ${describeLink(of.signature)}`}
        {of.poNumber && `, purchase order ${of.poNumber}`}.{' '}
        {!of.replacedBy && (
          <>
            {of.billedAt ? 'Agreed' : 'Next'}: {describeQuotePayments(of)}
            {of.billedAt ? '. ' : ' is due.'}
            <Anchor component={Link} to={places.customer(of.customer.id)}>
              {of.billedAt
                ? 'All invoices for this customer'
                : isStaff
                  ? 'Add a card or record the payment'
                  : 'Record the payment'}
            </Anchor>
          </>
        )}
        {of.signature?.digest && (
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            Signed content, SHA-256: {of.signature.digest}
          </Text>
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
    return (
      <Alert color="yellow">
        The customer did not answer before the expiry date. Extend the quote, or make a new revision.
      </Alert>
    )
  if (of.state === 'cancelled' && of.reason) return <Alert color="gray">Cancelled: {of.reason}</Alert>
  return null
}
