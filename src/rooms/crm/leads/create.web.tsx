import { Alert, Autocomplete, Button, Group, SimpleGrid, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { problems } from '#kernel/validate.ts'
import { CompanyLookup } from '#rooms/companies/offers.web.tsx'
import { ApiError, call } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { FieldInput } from '#web/forms/field-input.tsx'
import { sentValue } from '#web/forms/values.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { say, sentence } from '#web/ui/say.ts'
import { contact } from '../contacts/contact.ts'
import { type Lead, leadOptions, refreshLists, wholeOptions } from '../contacts/data.web.ts'
import { Duplicates } from '../contacts/duplicates.web.tsx'
import { city } from '../contacts/lookups.ts'
import { staff } from '../staff/staff.ts'
import css from './create.module.css'
import { useNewLead } from './new-lead.web.ts'

const GROUPS = [
  { title: 'Company', fields: ['companyName', 'companyNumber', 'businessType', 'website'] },
  { title: 'Person', fields: ['name', 'phone', 'mobile', 'email'] },
  { title: 'Address', fields: ['address1', 'address2', 'city', 'county', 'postcode'] },
  { title: 'Lead', fields: ['owner', 'cameFrom', 'employees', 'subContractors', 'ir35'] },
] as const
type Name = (typeof GROUPS)[number]['fields'][number]

/** A new lead. While it is typed, leads that may be the same are named; what is typed outlives a reload. */
export default function NewLead() {
  const me = useMe()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [query] = useSearchParams()
  const { values, set, clear, key } = useNewLead({
    companyName: query.get('companyName') ?? '',
    owner: `${staff.url}/${me.username}`,
  })
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const refuse = (found: readonly { propertyPath: string; message: string }[]) => {
    setErrors(Object.fromEntries(found.map((v) => [v.propertyPath, v.message])))
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const save = async () => {
    const body = Object.fromEntries(
      Object.entries(values).map(([k, v]) => [k, sentValue(contact.fields[k as Name], v)]),
    )
    const wrong = problems(contact.fields, body)
    setFailure(undefined)
    setErrors({})
    if (wrong.length) return refuse(wrong)
    setBusy(true)
    try {
      const made = await call<Lead>('POST', contact.url, body, { idempotencyKey: key(body) })
      queries.setQueryData(leadOptions(made.id).queryKey, made)
      void refreshLists(queries)
      clear()
      say.saved()
      await navigate(`/crm/contact/view/${made.id}`)
    } catch (e) {
      if (e instanceof ApiError && e.violations.length) refuse(e.violations)
      else setFailure(sentence(e))
    }
    setBusy(false)
  }
  const submit = (e: FormEvent) => {
    e.preventDefault()
    void save()
  }
  return (
    <form ref={form} onSubmit={submit} noValidate className={css.form}>
      <PageTitle>New lead</PageTitle>
      <Text c="dimmed">A company, a person, a telephone number or an e-mail address is enough.</Text>
      <CompanyLookup values={values} onFill={set} />
      <Duplicates values={values} />
      {GROUPS.map((group) => (
        <section key={group.title} aria-label={group.title} className={css.group}>
          <Text component="h2" className={css.groupTitle}>
            {group.title}
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            {group.fields.map((name) =>
              name === 'city' ? (
                <City key={name} value={values.city} set={set} error={errors.city} />
              ) : (
                <FieldInput
                  key={name}
                  name={name}
                  field={contact.fields[name]}
                  value={values[name]}
                  error={errors[name]}
                  onChange={(v) => set({ [name]: v })}
                />
              ),
            )}
          </SimpleGrid>
        </section>
      ))}
      {failure && (
        <Alert color="red" role="alert" title="The lead is not saved">
          {failure} Everything you typed is still here.
        </Alert>
      )}
      <Group>
        <Button type="submit" loading={busy}>
          {failure ? 'Retry' : 'Save and open'}
        </Button>
        <Button variant="subtle" onClick={clear}>
          Clear the form
        </Button>
      </Group>
    </form>
  )
}

interface CityProps {
  readonly value: unknown
  readonly set: (values: Record<string, unknown>) => void
  readonly error: string | undefined
}

/** Known towns bring their county along; any other may be typed. */
function City({ value, set, error }: CityProps) {
  const known = useQuery(wholeOptions(city.url)).data?.['hydra:member'] ?? []
  const countyOf = (name: string) =>
    (known as readonly { name: string; county?: string }[]).find((c) => c.name === name)?.county
  return (
    <Autocomplete
      label="City"
      autoComplete="off"
      limit={12}
      data={[...new Set(known.map((c) => c.name))]}
      value={typeof value === 'string' ? value : ''}
      error={error}
      onChange={(name) => {
        const county = countyOf(name)
        set(county ? { city: name, county } : { city: name })
      }}
    />
  )
}
