import { Alert, Anchor, Text } from '@mantine/core'
import { Link, useParams, useSearchParams } from 'react-router'
import { parseId } from '#kernel/iri.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { decisiveEmail, describeDelivery, isWithinSendingWindow } from '#modules/crm/mail/message.ts'
import { useEmailsAbout } from '#modules/crm/mail/states.web.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import { usePageTitle } from '#web/shell/pages/title.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import { customer } from '../customers/customer.ts'
import { FinancialDocumentView } from '../print/financial-document.web.tsx'
import { InvoiceActionButtons } from './actions.web.tsx'
import { InvoiceChip } from './chip.web.tsx'
import { type InvoiceRecord, useInvoicePreview } from './data.web.ts'
import { InvoiceEditor } from './editor.web.tsx'
import { invoice } from './invoice.ts'
import { buildInvoiceDocument } from './paper.ts'

/** Invoice page, for a new, draft or issued invoice. */
export default function InvoicePage() {
  const { id } = useParams()
  const [search] = useSearchParams()
  const one = useApiRecord(invoice, id)
  const places = useBillingUrls()
  const forWhom = parseId(search.get('customer'))
  usePageTitle(one.data?.number || undefined)
  const back = { label: 'All invoices', to: getListReturnPath(places.invoices) }
  if (id === undefined)
    return (
      <Page title="New invoice" back={back}>
        <InvoiceEditor {...(forWhom === undefined ? {} : { forWhom: iriOf(customer, forWhom) })} />
      </Page>
    )
  const of = one.data
  if (!of)
    return (
      <Page title="Invoice" back={back}>
        {one.isError ? <ErrorState error={one.error} onRetry={() => void one.refetch()} /> : <LoadingRows />}
      </Page>
    )
  return (
    <Page
      title={of.number ? `Invoice ${of.number}` : 'Draft invoice'}
      beside={
        <>
          <InvoiceChip of={of} />
          <Anchor component={Link} to={places.customer(of.customer.id)}>
            {of.company || of.customer.email}
          </Anchor>
        </>
      }
      back={back}
    >
      <OfflineNotice />
      <InvoiceActionButtons of={of} />
      {of.state === 'draft' && of.origin !== 'manual' && <IssuingProblems of={of} />}
      {of.state === 'draft' ? (
        <InvoiceEditor key={of.id} of={of} />
      ) : (
        <div className={page.columns}>
          <FinancialDocumentView sheet={buildInvoiceDocument(of)} />
          <div className={page.page}>
            <Standing of={of} />
            <RecordPanels record={of} />
          </div>
        </div>
      )}
    </Page>
  )
}

/** Delivery of the e-mail with an invoice, and the next step if it was not sent. */
function InvoiceDelivery({ of }: { readonly of: InvoiceRecord }) {
  const all = useEmailsAbout(of['@id'], { requestedAt: of.issuedAt })
  const decisive = decisiveEmail((all ?? []).filter(({ template }) => template === 'invoice'))
  if (!all) return null
  if (decisive)
    return (
      <>
        {describeDelivery(decisive)}
        {decisive.state === 'sent' && of.sentAt && (
          <>
            , <DateTimeText at={of.sentAt} />
          </>
        )}
      </>
    )
  if (!of.buyer?.email)
    return 'Not sent: the customer has no e-mail address for invoices. Enter one on the customer’s page, or send the PDF yourself.'
  return isWithinSendingWindow(of.issuedAt)
    ? `Being sent to ${of.buyer.email}`
    : 'No e-mail with this invoice is recorded.'
}

/** Reasons why the portal left a generated invoice as a draft. */
function IssuingProblems({ of }: { readonly of: InvoiceRecord }) {
  const problems = useInvoicePreview(of, true).data?.problems ?? []
  if (!problems.length) return null
  return (
    <Alert color="yellow" title="Not issued yet">
      {problems.map(({ message }) => (
        <div key={message}>{message}</div>
      ))}
    </Alert>
  )
}

/** Amount due, with payments, credits and write-offs. */
function Standing({ of }: { readonly of: InvoiceRecord }) {
  const money = (pence: number) => formatMoney(pence, of.currency)
  const parts: readonly (readonly [string, number])[] = [
    ['Invoiced', of.total],
    ['Paid', of.amountPaid],
    ['Credited', of.amountCredited],
    ['Written off', of.amountWrittenOff],
  ]
  return (
    <section className={page.card} aria-labelledby="standing">
      <h2 id="standing">Amount due</h2>
      <div className={css.balance}>{money(of.amountDue)}</div>
      {of.reason && <Alert color="yellow">{of.reason}</Alert>}
      <ul className={css.list}>
        {parts
          .filter(([, pence]) => pence)
          .map(([what, pence]) => (
            <li key={what} className={css.row}>
              <span>{what}</span>
              <span className={css.money}>{money(pence)}</span>
            </li>
          ))}
      </ul>
      <Text size="sm">
        Issued <DateTimeText at={of.issuedAt} />
      </Text>
      <Text size="sm" role="status">
        <InvoiceDelivery of={of} />
      </Text>
    </section>
  )
}
