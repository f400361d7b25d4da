import { Anchor, Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { text } from '#kernel/fields.ts'
import { lastIriSegment } from '#kernel/iri.ts'
import { now } from '#kernel/time.ts'
import { LazyLeadFiles as Files } from '#modules/crm/files/lazy-files.web.tsx'
import { LeadPeople } from '#modules/crm/people/of-lead.web.tsx'
import { callApi } from '#web/api/client.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { InPlaceEditor } from '#web/forms/edit-in-place.tsx'
import { EditableField } from '#web/forms/editable.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { RetiredChip, StatusChip } from '#web/ui/status-chip.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useBillingUrls, useIsProviderStaff } from '../billing-urls.web.ts'
import { coupon } from '../catalogue/coupon.ts'
import { describeCoupon, findCouponRejectionReason } from '../catalogue/coupon-rules.ts'
import { subscription } from '../subscriptions/subscription.ts'
import { CustomerBalance } from './balance.web.tsx'
import { customer } from './customer.ts'
import { type CustomerRecord, formatCustomerName, useCustomerMutation } from './data.web.ts'
import { ClientSetUp } from './set-up-client.web.tsx'

/** A customer's coupon and its effect, with an option to change the coupon. */
function CustomerCoupon({ of }: { readonly of: CustomerRecord }) {
  const [choosing, setChoosing] = useState(false)
  const held = useApiRecord(coupon, of.coupon?.id).data
  const set = useCustomerMutation(of.id, (iri: string) => callApi('PUT', of['@id'], { coupon: iri }))
  const off = useCustomerMutation(of.id, () => callApi('POST', `${of['@id']}/detach-coupon`))
  const refused = held && findCouponRejectionReason(held, { now: now(), redeemed: true })
  return (
    <section className={page.card} aria-labelledby="coupon">
      <Title order={2} size="h4" id="coupon">
        Coupon
      </Title>
      {of.coupon ? (
        <div>
          <Text fw={600}>{of.coupon.name}</Text>
          {held && <Text size="sm">{describeCoupon(held)}</Text>}
          {refused && (
            <StatusChip meaning="attention" title={refused}>
              No longer valid
            </StatusChip>
          )}
        </div>
      ) : (
        <Text size="sm">No coupon</Text>
      )}
      {choosing && (
        <RemoteSelect
          label="Choose a coupon"
          target={coupon}
          value={null}
          params={{ retired: false }}
          autoFocus
          error={set.isError ? errorSentence(set.error) : undefined}
          onChange={(iri) =>
            iri &&
            set.mutate(iri, {
              onSuccess: () => {
                setChoosing(false)
                toast.saved('the coupon')
              },
            })
          }
        />
      )}
      <Group gap="sm">
        <Button variant="default" loading={set.isPending} onClick={() => setChoosing(!choosing)}>
          {choosing ? 'Cancel' : of.coupon ? 'Choose another' : 'Choose a coupon'}
        </Button>
        {of.coupon && !choosing && (
          <Button
            variant="default"
            loading={off.isPending}
            onClick={() =>
              off.mutate(undefined, {
                onSuccess: () => toast.saved('coupon removed'),
                onError: (e) => toast.failed(e),
              })
            }
          >
            Remove
          </Button>
        )}
      </Group>
    </section>
  )
}

/** Customer page: details, balance, coupon, and panels with related records. */
export default function CustomerPage() {
  const { id } = useParams()
  const one = useApiRecord(customer, id)
  const c = one.data
  const places = useBillingUrls()
  const isStaff = useIsProviderStaff()
  if (!c)
    return (
      <Page title="Customer">
        {one.isError ? <ErrorState error={one.error} onRetry={() => void one.refetch()} /> : <LoadingRows />}
      </Page>
    )
  return (
    <Page
      title={formatCustomerName(c)}
      beside={<RetiredChip retired={c.retired} />}
      back={{ label: 'All customers', to: getListReturnPath(places.customers) }}
    >
      <OfflineNotice />
      <div className={page.columns}>
        <div className={page.page}>
          <Details of={c} />
          <Invoicing of={c} />
          <RecordPanels record={c} />
        </div>
        <div className={page.page}>
          <CustomerBalance of={c} />
          <CustomerCoupon of={c} />
          {isStaff && (
            <>
              <AcceptedClientSetUp of={c} />
              <Contact of={c} />
              <section className={page.card} aria-labelledby="files">
                <Title order={2} size="h4" id="files">
                  Files
                </Title>
                {c.contact ? <Files of="lead" id={c.contact.id} /> : <Files of="customer" id={c.id} />}
              </section>
            </>
          )}
        </div>
      </div>
    </Page>
  )
}

const KNOWN = [
  ['company_name', text({ label: 'Company' })],
  ['contact_name', text({ label: 'Contact name' })],
  ['telephone', text({ label: 'Telephone' })],
  ['owner', text({ person: true, label: 'Owner' })],
] as const

/** Customer details, each of which can be edited inline. Names are stored in the metadata. */
function Details({ of }: { readonly of: CustomerRecord }) {
  const isStaff = useIsProviderStaff()
  const save = useCustomerMutation(of.id, (metadata: CustomerRecord['metadata']) =>
    callApi('PUT', of['@id'], { metadata: { ...of.metadata, ...metadata } }),
  )
  return (
    <section className={page.card} aria-labelledby="details">
      <Title order={2} size="h4" id="details">
        Details
      </Title>
      <div className={page.facts}>
        {KNOWN.filter(([name]) => isStaff || name !== 'owner').map(([name, field]) => (
          <InPlaceEditor
            key={name}
            name={name}
            field={field}
            value={of.metadata[name] ?? null}
            onSave={(value) => save.mutateAsync({ [name]: value ?? '' })}
          />
        ))}
        {(['email', 'currency', 'retired'] as const).map((name) => (
          <EditableField key={name} resource={customer} record={of} name={name} of={formatCustomerName(of)} />
        ))}
      </div>
      <span>
        Created by {of.metadata.createdBy ? <PersonName username={String(of.metadata.createdBy)} /> : 'an import'} on{' '}
        <DateTimeText at={of.createdAt} />
      </span>
    </section>
  )
}

const INVOICING = [
  'billingName',
  'address1',
  'address2',
  'city',
  'county',
  'postcode',
  'country',
  'vatNumber',
  'vatNumberCheckedOn',
  'poNumber',
  'invoiceEmail',
  'longTermsAgreed',
  'paymentDays',
  'consumer',
] as const

/** Invoice recipient and payment terms. */
const Invoicing = ({ of }: { readonly of: CustomerRecord }) => (
  <section className={page.card} aria-labelledby="invoicing">
    <Title order={2} size="h4" id="invoicing">
      Invoicing
    </Title>
    <div className={page.facts}>
      {INVOICING.map((name) => (
        <EditableField key={name} resource={customer} record={of} name={name} of={formatCustomerName(of)} />
      ))}
    </div>
  </section>
)

/** Set-up as a client, for a customer who has accepted a quote with a plan. */
function AcceptedClientSetUp({ of }: { readonly of: CustomerRecord }) {
  const sold = useList(subscription, { customer: of.id, itemsPerPage: 1 }).data?.['hydra:totalItems']
  return sold ? <ClientSetUp of={of} /> : null
}

/** The customer's lead, which contains the customer's notes. */
function Contact({ of }: { readonly of: CustomerRecord }) {
  return (
    <section className={page.card} aria-labelledby="contact">
      <Title order={2} size="h4" id="contact">
        Contact
      </Title>
      {of.contact ? (
        <>
          <Anchor component={Link} to={`/crm/contact/view/${of.contact.id}`}>
            {of.contact.companyName ?? of.contact.name ?? 'Lead'}: calls and notes
          </Anchor>
          <LeadPeople lead={of.contact.id} />
        </>
      ) : (
        <EditableField resource={customer} record={of} name="contact" of={formatCustomerName(of)} />
      )}
      {of.client && (
        <Anchor component={Link} to={`/cms/clients?client=${lastIriSegment(of.client)}`}>
          Client details and users
        </Anchor>
      )}
    </section>
  )
}
