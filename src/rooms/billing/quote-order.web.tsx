import { Anchor, Button, Group, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { iriOf } from '#kernel/resource.ts'
import { call } from '#web/api/client.ts'
import { useList, useOne, useSave } from '#web/api/resources.ts'
import { PageTitle } from '#web/shell/PageTitle.tsx'
import { CompanyLookup } from '#web/ui/CompanyLookup.tsx'
import { RemoteSelect } from '#web/ui/RemoteSelect.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/States.tsx'
import { say } from '#web/ui/say.ts'
import { contact } from '../crm/contact.ts'
import billing from './billing.module.css'
import { customer } from './customer.ts'
import { Cards } from './customer-cards.web.tsx'
import { type Customer, customerName, useCards } from './customer-data.web.ts'
import { NewCustomer } from './new-customer.web.tsx'
import css from './quote.module.css'
import { quote } from './quote.ts'
import { QuoteBuilder } from './quote-builder.web.tsx'
import { QuoteChip } from './quote-chip.web.tsx'
import { type Quote, useQuote } from './quote-data.web.ts'
import { SendDialog } from './quote-send.web.tsx'

const LEAD = '/crm/contact/sale'

/** The guided order: from a lead to a quote in the customer's inbox. What is done is read from the records, so one can stop anywhere. */
export default function Order() {
  const { id } = useParams()
  const lead = useOne(contact, id)
  if (id !== undefined && !lead.data)
    return (
      <div className={billing.page}>
        <PageTitle>New order</PageTitle>
        {lead.isError ? <ErrorState error={lead.error} onRetry={() => void lead.refetch()} /> : <LoadingRows />}
      </div>
    )
  return (
    <div className={billing.page}>
      <OfflineNotice />
      <PageTitle>
        {lead.data ? `Order of ${lead.data.companyName ?? lead.data.name ?? 'a lead'}` : 'New order'}
      </PageTitle>
      <ol className={css.steps}>
        <ContactStep lead={lead.data as Lead | undefined} />
        {lead.data ? (
          <Rest lead={lead.data as Lead} />
        ) : (
          LATER.map((name, i) => <Step key={name} n={i + 2} title={name} />)
        )}
      </ol>
    </div>
  )
}

const LATER = ['Customer', 'Quote', 'Card', 'Send']
type Lead = { '@id': string; id: number; companyName: string | null; name: string | null; email: string | null }

interface StepProps {
  readonly n: number
  readonly title: string
  /** What came of it. */
  readonly done?: ReactNode
  readonly children?: ReactNode
}

/** A step that is done says so; one that can't be begun yet is only named. */
const Step = ({ n, title, done, children }: StepProps) => (
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
      {!done && !children && <Text c="dimmed">Later</Text>}
    </Group>
    {children}
  </li>
)

function ContactStep({ lead }: { readonly lead: Lead | undefined }) {
  const go = useNavigate()
  const save = useSave(contact)
  return (
    <Step
      n={1}
      title="Contact"
      done={
        lead && (
          <Anchor component={Link} to={`/crm/contact/view/${lead.id}`}>
            {lead.companyName ?? lead.name}
          </Anchor>
        )
      }
    >
      {lead ? (
        <CompanyLookup
          label="Complete the company from the register"
          values={{ ...lead }}
          onFill={(values) =>
            save.mutateAsync({ id: lead.id, values }).then(
              () => say.saved(),
              (e: unknown) => {
                say.failed(e)
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
            onChange={(iri) => iri && void go(`${LEAD}/${iri.split('/').at(-1)}`)}
          />
          <Button component={Link} to="/cms/contact/create" variant="default">
            New lead
          </Button>
        </Group>
      )}
    </Step>
  )
}

function Rest({ lead }: { readonly lead: Lead }) {
  const customers = useList(customer, { contact: lead['@id'], retired: false })
  const found = customers.data?.['hydra:member'][0] as unknown as Customer | undefined
  const [making, setMaking] = useState(false)
  if (customers.isError) return <ErrorState error={customers.error} onRetry={() => void customers.refetch()} />
  if (customers.isPending) return <LoadingRows rows={3} />
  return (
    <>
      <Step
        n={2}
        title="Customer"
        done={
          found && (
            <Anchor component={Link} to={`/crm/customer/${found.id}`}>
              {customerName(found)}
            </Anchor>
          )
        }
      >
        {!found &&
          (making ? (
            <NewCustomer
              lead={lead['@id']}
              onCancel={() => setMaking(false)}
              onSaved={() => void customers.refetch()}
            />
          ) : (
            <div>
              <Button onClick={() => setMaking(true)}>Make a customer of this lead</Button>
            </div>
          ))}
      </Step>
      {found ? <Sell to={found} /> : LATER.slice(1).map((name, i) => <Step key={name} n={i + 3} title={name} />)}
    </>
  )
}

/** The newest quote that is still of use. */
function useNewest(to: Customer) {
  const url = `${iriOf(customer, to.id)}/quotes`
  return useQuery({
    queryKey: [quote.url, 'list', 'newest', to.id],
    queryFn: ({ signal }) =>
      call<{ 'hydra:member': readonly { id: number; state: string; replacedBy: unknown }[] }>('GET', url, undefined, {
        signal,
      }),
    select: (answer) => answer['hydra:member'].find((q) => q.state !== 'cancelled'),
  })
}

function Sell({ to }: { readonly to: Customer }) {
  const newest = useNewest(to)
  const read = useQuote(newest.data?.id)
  const cards = useCards(to.id)
  const held = cards.data?.['hydra:member'] ?? []
  if (newest.isError) return <ErrorState error={newest.error} onRetry={() => void newest.refetch()} />
  if (newest.isPending || (newest.data && !read.data)) return <LoadingRows rows={4} />
  const q = read.data?.body
  return (
    <>
      <Step
        n={3}
        title="Quote"
        done={
          q && (q.state !== 'draft' || (q.total ?? 0) > 0) ? (
            <Anchor component={Link} to={`/crm/quote/${q.id}`}>
              {q.reference}
            </Anchor>
          ) : undefined
        }
      >
        {(!q || q.state === 'draft') && (
          <QuoteBuilder
            key={q?.id ?? 'new'}
            {...(read.data ? { read: read.data } : {})}
            customer={to['@id']}
            onMade={() => void newest.refetch()}
          />
        )}
      </Step>
      <Step n={4} title="Card" done={held.length ? `${held.length} on file` : undefined}>
        <Text size="sm">A card can also be added later; the quote can go out without one.</Text>
        <Cards of={to} />
      </Step>
      <SendStep q={q} />
    </>
  )
}

function SendStep({ q }: { readonly q: Quote | undefined }) {
  const [sending, setSending] = useState(false)
  if (!q) return <Step n={5} title="Send" />
  if (q.state !== 'draft')
    return (
      <Step n={5} title="Send" done={q.emailTo ? `sent to ${q.emailTo}` : 'open'}>
        <QuoteChip of={q} />
      </Step>
    )
  return (
    <Step n={5} title="Send">
      <div>
        <Button onClick={() => setSending(true)}>Preview and send {q.reference}</Button>
      </div>
      <SendDialog quote={q} opened={sending} onClose={() => setSending(false)} />
    </Step>
  )
}
