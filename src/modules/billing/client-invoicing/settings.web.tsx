import { Alert, Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { can } from '#kernel/can.ts'
import { hasRole } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { invoiceSettings } from './invoice-settings.ts'

const GROUPS = [
  {
    title: 'Documents',
    fields: ['legalName', 'prefix', 'firstNumber', 'creditPrefix', 'paymentDays', 'taxCode', 'basicTaxPoint'],
  },
  {
    title: 'Bank details',
    fields: ['accountName', 'bankName', 'sortCode', 'accountNumber', 'iban', 'bic'],
  },
  { title: 'Subscriptions', fields: ['priceNoticeDays'] },
  { title: 'Stock', fields: ['stockRefused'] },
] as const

/** Invoice settings screen: issuer, numbering and bank details. */
export default function InvoiceSettingsPage() {
  const actor = useActor()
  const company = useApiRecord(client, actor.clientId)
  const list = useList(invoiceSettings)
  const failed = [company, list].find((one) => one.isError)
  const [rules] = list.data?.['hydra:member'] ?? []
  const own = company.data
  return (
    <Page title="Invoice settings" about="These settings apply to new documents. Issued documents don’t change.">
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !list.data || !own ? (
        <LoadingRows rows={6} />
      ) : (
        <>
          <section className={page.card} aria-labelledby="who">
            <h2 id="who">Issuer</h2>
            <span>
              {[own.company, own.address1, own.city, own.postcode].filter(Boolean).join(', ')}.{' '}
              {own.vatNumber ? `Registered for VAT: ${own.vatNumber}.` : 'Without a VAT number, no VAT is charged.'}
            </span>
            {hasRole(actor, 'ROLE_CLIENT_ADMIN') ? (
              <Anchor component={Link} to="/config/letterhead">
                Change address, VAT number and logo
              </Anchor>
            ) : (
              <span>Your company’s administrator can change its address, VAT number and logo.</span>
            )}
          </section>
          {!rules && (
            <Alert color="yellow" title="Not saved yet">
              Until you save, documents use the settings shown here. You can choose the prefix and first number of your
              invoices until the first invoice is issued. After that, the number series continues.
            </Alert>
          )}
          {can(actor, rules ? 'update' : 'create', invoiceSettings) && (
            <ResourceForm
              key={rules?.['@id']}
              resource={invoiceSettings}
              groups={GROUPS}
              {...(rules ? { record: rules } : {})}
              action="Save settings"
              onSaved={() => undefined}
            />
          )}
        </>
      )}
    </Page>
  )
}
