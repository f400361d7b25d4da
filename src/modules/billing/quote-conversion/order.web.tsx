import { Anchor, Button, Group, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { lastIriSegment } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { CompanyLookup } from '#modules/companies/company-lookup.web.tsx'
import { BackToLeadLink, ContinueAfterSaleButton } from '#modules/crm/calling/continue-after-sale.web.tsx'
import { LeadLeaseRenewer } from '#modules/crm/calling/use-lease.web.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { callApi } from '#web/api/client.ts'
import { useApiRecord, useList, useSaveRecord } from '#web/api/resources.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { CardList } from '../cards/card.web.tsx'
import { customer } from '../customers/customer.ts'
import type { CustomerRecord } from '../customers/data.web.ts'
import { formatCustomerName, useCustomerCards } from '../customers/data.web.ts'
import { NewCustomerForm } from '../customers/new-customer.web.tsx'
import { SetUpClientButton } from '../customers/set-up-client.web.tsx'
import type { QuoteBuilderHandle } from '../quote-builder/builder.web.tsx'
import { QuoteBuilder, type QuoteBuyer } from '../quote-builder/builder.web.tsx'
import { CopyQuoteLink } from '../quote-builder/head.web.tsx'
import { QuoteChip } from '../quotes/chip.web.tsx'
import { type QuoteRecord, useQuote, useQuoteDelivery } from '../quotes/data.web.ts'
import { quote } from '../quotes/quote.ts'
import css from './orders.module.css'

/** Returns the customer's newest quote that can still be used. */
function useNewest(to: CustomerRecord) {
  const url = `${iriOf(customer, to.id)}/quotes`
  return useQuery({
    queryKey: [quote.url, 'list', 'newest', to.id],
    queryFn: ({ signal }) =>
      callApi<{ 'hydra:member': readonly { id: number; state: string; replacedBy: unknown }[] }>(
        'GET',
        url,
        undefined,
        {
          signal,
        },
      ),
    select: (answer) => answer['hydra:member'].find((q) => q.state !== 'cancelled'),
  })
}

interface Props {
  readonly to: CustomerRecord
  /** True if the lead became a customer during this sale, so no earlier quote was sent. */
  readonly made: boolean
  /** Next steps, shown once the quote has been sent. */
  readonly after: ReactNode
}

/** Steps of a sale to a customer: the quote, the card and sending. */
function CustomerSaleSteps({ to, made, after }: Props) {
  const newest = useNewest(to)
  const read = useQuote(newest.data?.id)
  const cards = useCustomerCards(to.id)
  const held = cards.data?.['hydra:member'] ?? []
  const form = useRef<QuoteBuilderHandle>(null)
  const isComing = newest.isPending || (newest.data && !read.data)
  /**
   * True if no quote existed when the page opened. The new quote is then edited here, and its form stays mounted while
   * the quote is saved and sent.
   */
  const [isNew, setNew] = useState<boolean>()
  /** True if the user is creating another quote. The new quote doesn't replace a quote already sent. */
  const [another, setAnother] = useState(false)
  if (isNew === undefined && !isComing && !newest.isError) setNew(newest.data === undefined)
  const next = useOnceOut(isComing ? undefined : isOut(read.data?.body), made)
  if (newest.isError) return <ErrorState error={newest.error} onRetry={() => void newest.refetch()} />
  if (isComing && !isNew) return <LoadingRows rows={4} />
  const q = another ? undefined : read.data?.body
  const link = q && (
    <Anchor component={Link} to={`/crm/quote/${q.id}`}>
      {q.reference}
    </Anchor>
  )
  return (
    <>
      <GuidedSaleStep n={3} title="Quote" done={isOut(q) && link} begun={q && <>Draft {link}</>}>
        {(!q || q.state === 'draft') && (
          <QuoteBuilder
            key={isNew || another ? 'new' : q?.id}
            ref={form}
            {...(read.data && !isNew && !another ? { read: read.data } : {})}
            customer={to['@id']}
            onMade={() =>
              void newest.refetch().then(() => {
                setNew(false)
                setAnother(false)
              })
            }
          />
        )}
      </GuidedSaleStep>
      <GuidedSaleStep n={4} title="Card" done={held.length ? `${held.length} saved` : undefined}>
        <Text size="sm">You can send the quote without a card and add a card later.</Text>
        <CardList of={to} />
      </GuidedSaleStep>
      <SendStep
        q={q}
        after={
          <>
            {q?.state === 'accepted' && <SetUpClientButton of={to} />}
            <Button variant="default" onClick={() => setAnother(true)}>
              Another quote
            </Button>
            {after}
          </>
        }
        next={next}
        onPreview={() => form.current?.preview()}
      />
    </>
  )
}

interface SendProps extends Pick<Props, 'after'> {
  readonly q: QuoteRecord | undefined
  readonly next: RefObject<HTMLDivElement | null>
  /** Opens the form's own preview, which first saves unsaved changes. */
  readonly onPreview: () => void
}

function SendStep({ q, after, next, onPreview }: SendProps) {
  const delivery = useQuoteDelivery(q)
  if (!q) return <GuidedSaleStep n={5} title="Send" />
  if (q.state !== 'draft')
    return (
      <GuidedSaleStep
        n={5}
        title="Send"
        done={
          /^(Being s|S)ent /.test(delivery)
            ? delivery.replace(/^./, (first) => first.toLowerCase())
            : `quote is live. ${delivery}`
        }
      >
        <Group ref={next} gap="xs" role="group" aria-label={`After ${q.reference} is sent`} tabIndex={-1}>
          <QuoteChip of={q} />
          {q.state === 'open' && <CopyQuoteLink of={q} variant="default" />}
          {after}
        </Group>
      </GuidedSaleStep>
    )
  return (
    <GuidedSaleStep n={5} title="Send">
      <div>
        <Button onClick={onPreview}>Preview and send {q.reference}</Button>
      </div>
    </GuidedSaleStep>
  )
}

const isOut = (q: QuoteRecord | undefined) => q !== undefined && q.state !== 'draft'

/** Focuses the next steps and scrolls to them once the quote has been sent. */
function useOnceOut(out: boolean | undefined, made: boolean) {
  const next = useRef<HTMLDivElement>(null)
  const was = useRef(made ? false : out)
  useEffect(() => {
    if (out === undefined) return
    const isNew = out && was.current === false
    was.current = out
    if (!isNew || !next.current) return
    next.current.focus({ preventScroll: true })
    next.current.scrollIntoView({ block: 'center' })
  }, [out])
  return next
}

const LEAD = '/crm/contact/sale'

/**
 * Guided sale, from a lead to a sent quote. Progress is derived from the records, so the sale can be interrupted at any
 * step.
 */
export default function GuidedSalePage() {
  const { id } = useParams()
  const lead = useApiRecord(contact, id)
  if (id !== undefined && !lead.data)
    return (
      <Page title="Sell">
        {lead.isError ? <ErrorState error={lead.error} onRetry={() => void lead.refetch()} /> : <LoadingRows />}
      </Page>
    )
  return (
    <Page title={lead.data ? `Sell to ${lead.data.companyName ?? lead.data.name ?? 'a lead'}` : 'Sell'}>
      <OfflineNotice />
      {lead.data && <LeadLeaseRenewer key={lead.data.id} id={lead.data.id} />}
      <ol className={css.steps}>
        <ContactStep lead={lead.data as Lead | undefined} />
        {lead.data ? (
          <Rest lead={lead.data as Lead} />
        ) : (
          LATER.map((name, i) => <GuidedSaleStep key={name} n={i + 2} title={name} />)
        )}
      </ol>
    </Page>
  )
}

const LATER = ['Customer', 'Quote', 'Card', 'Send']
type Lead = { '@id': string; id: number; companyName: string | null; name: string | null; email: string | null }

function ContactStep({ lead }: { readonly lead: Lead | undefined }) {
  const go = useNavigate()
  const save = useSaveRecord(contact)
  return (
    <GuidedSaleStep
      n={1}
      title="Contact"
      done={lead && <BackToLeadLink lead={lead.id} name={lead.companyName ?? lead.name} />}
    >
      {lead ? (
        <CompanyLookup
          label="Complete the company’s details from the register"
          values={{ ...lead }}
          onFill={(values) =>
            save.mutateAsync({ id: lead.id, values }).then(
              () => toast.saved('the company'),
              (e: unknown) => {
                toast.failed(e)
                return false
              },
            )
          }
        />
      ) : (
        <Group align="end">
          <RemoteSelect
            label="Which lead is buying?"
            target={contact}
            value={null}
            params={{ retired: false }}
            autoFocus
            onChange={(iri) => iri && void go(`${LEAD}/${lastIriSegment(iri)}`)}
          />
          <Button component={Link} to="/cms/contact/create" variant="default">
            New lead
          </Button>
        </Group>
      )}
    </GuidedSaleStep>
  )
}

function Rest({ lead }: { readonly lead: Lead }) {
  const customers = useList(customer, { contact: lead['@id'], retired: false })
  const found = customers.data?.['hydra:member'][0]
  const [making, setMaking] = useState(false)
  /** True if the lead has no customer record yet. It then becomes a customer when the quote is saved. */
  const [isNew, setNew] = useState<boolean>()
  const [made, setMade] = useState(false)
  if (isNew === undefined && customers.data) setNew(!found)
  if (customers.isError) return <ErrorState error={customers.error} onRetry={() => void customers.refetch()} />
  if (customers.isPending) return <LoadingRows rows={3} />
  const goOn = () =>
    void customers.refetch().then(() => {
      setNew(false)
      setMade(true)
    })
  if (isNew || !found)
    return (
      <>
        <GuidedSaleStep n={2} title="Customer">
          {making ? (
            <NewCustomerForm lead={lead['@id']} onCancel={() => setMaking(false)} onSaved={goOn} />
          ) : (
            <Group gap="xs">
              <Text size="sm">The customer will be created with the quote.</Text>
              <Anchor component="button" type="button" size="sm" onClick={() => setMaking(true)}>
                Create customer now
              </Anchor>
            </Group>
          )}
        </GuidedSaleStep>
        <GuidedSaleStep n={3} title="Quote">
          {!making && <QuoteBuilder buyer={buyerOf(lead)} onMade={goOn} />}
        </GuidedSaleStep>
        {LATER.slice(2).map((name, i) => (
          <GuidedSaleStep key={name} n={i + 4} title={name} />
        ))}
      </>
    )
  return (
    <>
      <GuidedSaleStep
        n={2}
        title="Customer"
        done={
          <Anchor component={Link} to={`/crm/customer/${found.id}`}>
            {formatCustomerName(found)}
          </Anchor>
        }
      />
      <CustomerSaleSteps to={found} made={made} after={<ContinueAfterSaleButton lead={lead.id} />} />
    </>
  )
}

/** Returns the lead as a buyer. The customer's e-mail address is entered as the quote's recipient. */
const buyerOf = (lead: Lead): QuoteBuyer => ({
  lead: lead['@id'],
  company: lead.companyName ?? lead.name ?? '',
  contactName: lead.name,
  email: lead.email ?? '',
})

interface StepProps {
  readonly n: number
  readonly title: string
  readonly done?: ReactNode
  readonly begun?: ReactNode
  readonly children?: ReactNode
}

/** A step of the sale. Finished steps show their result; later steps show only their title. */
const GuidedSaleStep = ({ n, title, done, begun, children }: StepProps) => (
  <li
    className={css.step}
    data-now={(!done && !!children) || undefined}
    aria-current={!done && children ? 'step' : undefined}
  >
    <Group gap="sm">
      <Title order={2} size="h4">
        {n}. {title}
      </Title>
      {done && (
        <Group gap={4}>
          <IconCheck size={18} aria-hidden />
          <span>Done: {done}</span>
        </Group>
      )}
      {!done && begun && <span>{begun}</span>}
      {!done && !begun && !children && <Text c="dimmed">Later</Text>}
    </Group>
    {children}
  </li>
)
