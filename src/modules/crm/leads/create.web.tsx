import '@mantine/core/styles/Combobox.layer.css'
import { Autocomplete } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { CompanyLookup } from '#modules/companies/company-lookup.web.tsx'
import { useMe } from '#web/api/me.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useDebouncedValues } from '#web/forms/store/use-value-store.ts'
import type { ValueStore } from '#web/forms/store/value-store.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { Page } from '#web/ui/page.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { contact } from '../contacts/contact.ts'
import {
  leadQueryOptions,
  refreshLeadLists,
  staffQueryOptions,
  unpaginatedListQueryOptions,
} from '../contacts/data.web.ts'
import { PossibleDuplicates } from '../contacts/duplicates.web.tsx'
import { city } from '../contacts/import-batch.ts'
import css from './create.module.css'

const GROUPS = [
  { title: 'Company', fields: ['companyName', 'companyNumber', 'legalForm', 'businessType', 'website'] },
  { title: 'Person', fields: ['name', 'jobTitle', 'phone', 'mobile', 'email'] },
  { title: 'Address', fields: ['address1', 'address2', 'city', 'county', 'postcode'] },
  { title: 'Lead', fields: ['owner', 'cameFrom', 'employees', 'subContractors', 'ir35'] },
] as const

/** Form for a new lead. Possible duplicates are shown while the user types, and the input survives a reload. */
export default function NewLeadPage() {
  const me = useMe()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const everybody = useQuery(staffQueryOptions)
  const mine = everybody.data?.['hydra:member'].find((s) => linkedRecordIri(s.user) === me['@id'])
  const companyName = useSearchParams()[0].get('companyName')
  return (
    <Page title="New lead" about="Enter at least a company, a person, a telephone number or an e-mail address.">
      <div className={css.form}>
        {everybody.isPending ? (
          <LoadingRows />
        ) : (
          <ResourceForm
            resource={contact}
            fields={GROUPS.flatMap((g) => g.fields)}
            groups={GROUPS}
            keep="new lead"
            // The head counts say that nobody has asked for them yet.
            defaults={{ owner: mine?.['@id'] ?? null, employees: "I didn't ask", subContractors: "I didn't ask" }}
            prefill={companyName ? { companyName } : {}}
            Above={Known}
            inputs={{ city: (props) => <City {...props} /> }}
            action="Save and open"
            onSaved={(made) => {
              queries.setQueryData(leadQueryOptions(made.id).queryKey, made)
              void refreshLeadLists(queries)
              void navigate(`/crm/contact/view/${made.id}`)
            }}
          />
        )}
      </div>
    </Page>
  )
}

/** Companies in the register and existing leads that match the typed values. */
function Known({ store }: { readonly store: ValueStore }) {
  const values = useDebouncedValues(store)
  return (
    <>
      <CompanyLookup values={values} onFill={store.replace} />
      <PossibleDuplicates values={values} />
    </>
  )
}

/** Town field. A known town also fills in the county, and any other town can be typed. */
function City({ id, value, error, onBlur, set }: FieldInputProps & { readonly set: ValueStore['replace'] }) {
  const known = useQuery(unpaginatedListQueryOptions(city.url)).data?.['hydra:member'] ?? []
  const countyOf = (name: string) =>
    (known as readonly { name: string; county?: string }[]).find((c) => c.name === name)?.county
  return (
    <Autocomplete
      id={id ?? ''}
      label="City"
      autoComplete="off"
      limit={12}
      data={[...new Set(known.map((c) => c.name))]}
      value={typeof value === 'string' ? value : ''}
      error={error}
      onBlur={onBlur}
      onChange={(name) => {
        const county = countyOf(name)
        set(county ? { city: name, county } : { city: name })
      }}
    />
  )
}
