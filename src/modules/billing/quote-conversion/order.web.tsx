import { Anchor, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { endOfIri } from '#kernel/iri.ts'
import { CompanyLookup } from '#modules/companies/company-lookup.web.tsx'
import { KeepLeadLease } from '#modules/crm/calling/keep-lead.web.tsx'
import { ContinueAfterSale, LeadLink } from '#modules/crm/calling/on-from-sale.web.tsx'
import { contact } from '#modules/crm/contacts/contact.ts'
import { useApiRecord, useList, useSaveRecord } from '#web/api/resources.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { customer } from '../customers/customer.ts'
import { customerName } from '../customers/data.web.ts'
import { NewCustomerForm } from '../customers/new-customer.web.tsx'
import { QuoteBuilder, type QuoteBuyer } from '../quote-builder/builder.web.tsx'
import css from './orders.module.css'
import { CustomerSaleSteps } from './sell.web.tsx'
import { SaleStep } from './step.web.tsx'

const LEAD = '/crm/contact/sale'

/**
 * Guided sale: from a lead to a sent quote. Progress is read from the records, so it can be interrupted at any step.
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
      {lead.data && <KeepLeadLease key={lead.data.id} id={lead.data.id} />}
      <ol className={css.steps}>
        <ContactStep lead={lead.data as Lead | undefined} />
        {lead.data ? (
          <Rest lead={lead.data as Lead} />
        ) : (
          LATER.map((name, i) => <SaleStep key={name} n={i + 2} title={name} />)
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
    <SaleStep n={1} title="Contact" done={lead && <LeadLink lead={lead.id} name={lead.companyName ?? lead.name} />}>
      {lead ? (
        <CompanyLookup
          label="Complete the company from the register"
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
            onChange={(iri) => iri && void go(`${LEAD}/${endOfIri(iri)}`)}
          />
          <Button component={Link} to="/cms/contact/create" variant="default">
            New lead
          </Button>
        </Group>
      )}
    </SaleStep>
  )
}

function Rest({ lead }: { readonly lead: Lead }) {
  const customers = useList(customer, { contact: lead['@id'], retired: false })
  const found = customers.data?.['hydra:member'][0]
  const [making, setMaking] = useState(false)
  /** A lead without a customer record becomes a customer with the quote. */
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
        <SaleStep n={2} title="Customer">
          {making ? (
            <NewCustomerForm lead={lead['@id']} onCancel={() => setMaking(false)} onSaved={goOn} />
          ) : (
            <Group gap="xs">
              <Text size="sm">Created with the quote.</Text>
              <Anchor component="button" type="button" size="sm" onClick={() => setMaking(true)}>
                Create customer now
              </Anchor>
            </Group>
          )}
        </SaleStep>
        <SaleStep n={3} title="Quote">
          {!making && <QuoteBuilder buyer={buyerOf(lead)} onMade={goOn} />}
        </SaleStep>
        {LATER.slice(2).map((name, i) => (
          <SaleStep key={name} n={i + 4} title={name} />
        ))}
      </>
    )
  return (
    <>
      <SaleStep
        n={2}
        title="Customer"
        done={
          <Anchor component={Link} to={`/crm/customer/${found.id}`}>
            {customerName(found)}
          </Anchor>
        }
      />
      <CustomerSaleSteps to={found} made={made} after={<ContinueAfterSale lead={lead.id} />} />
    </>
  )
}

/** The lead as a buyer; the customer's e-mail address is entered as the quote's recipient. */
const buyerOf = (lead: Lead): QuoteBuyer => ({
  lead: lead['@id'],
  company: lead.companyName ?? lead.name ?? '',
  contactName: lead.name,
  email: lead.email ?? '',
})
