import { Title } from '@mantine/core'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { EditableField } from '#web/forms/editable.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { client } from '../clients/client.ts'
import { LetterheadLayout } from './papers.web.tsx'

const DETAILS = [
  'company',
  'address1',
  'address2',
  'city',
  'county',
  'postcode',
  'regcompno',
  'registeredIn',
  'registeredOffice',
  'vatNumber',
  'vatNumberCheckedOn',
  'contacttel',
  'contactemail',
] as const

/** Letterhead page with the company's name, address, logo and lines. */
export default function LetterheadPage() {
  const { clientId } = useActor()
  const company = useApiRecord(client, clientId)
  const c = company.data
  return (
    <Page title="Letterhead" about="Your company’s details as printed on documents. Completed documents do not change.">
      {company.isError && <ErrorState error={company.error} onRetry={() => void company.refetch()} />}
      {!company.isError && !c && <LoadingRows />}
      {c && (
        <section className={page.card} aria-labelledby="letterhead-company">
          <Title order={2} size="h4" id="letterhead-company">
            Company details
          </Title>
          <div className={page.facts}>
            {DETAILS.map((name) => (
              <EditableField key={name} resource={client} record={c} name={name} />
            ))}
          </div>
        </section>
      )}
      <LetterheadLayout />
    </Page>
  )
}
