import { Button, Group, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { sortOrderParams } from '#web/lists/url-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { leadPathFromList } from '../calling/start-calling.web.ts'
import { contact } from '../contacts/contact.ts'
import { LeadResultChip, LeadTelephone } from '../contacts/contact-parts.web.tsx'
import { formatLeadName } from '../contacts/data.web.ts'
import css from './search.module.css'

/**
 * Fields that can be searched, with labels. Text matches parts of words, but numbers and e-mail addresses must match in
 * full.
 */
const SEARCH_FIELD_LABELS = {
  name: 'Contact name',
  companyName: 'Company name',
  companyNumber: 'Company number',
  phone: 'Telephone',
  mobile: 'Mobile',
  email: 'E-mail',
  city: 'Town',
  postcode: 'Postcode',
} as const
type LeadSearchField = keyof typeof SEARCH_FIELD_LABELS
const SEARCH_FIELD_NAMES = Object.keys(SEARCH_FIELD_LABELS) as LeadSearchField[]
const words = z.string().max(200).default('')
const LIST = listUrlSchema({
  retired: retiredFilterSchema,
  name: words,
  companyName: words,
  companyNumber: words,
  phone: words,
  mobile: words,
  email: words,
  city: words,
  postcode: words,
})

/** Fields whose search values are sent in Base64 (specification, section 5). */
const ENCODED: ReadonlySet<LeadSearchField> = new Set<LeadSearchField>(['name', 'companyName'])
const toBase64 = (text: string) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
const SEARCH_RESOURCE = { ...contact, url: `${contact.url}/search` } as typeof contact

/** Page for finding leads by known values. Blank fields are ignored. */
export default function SearchLeadsPage() {
  const [state, setState] = useUrlState(LIST)
  const [typed, setTyped] = useState<Readonly<Record<LeadSearchField, string>>>(
    () => Object.fromEntries(SEARCH_FIELD_NAMES.map((n) => [n, state[n]])) as Record<LeadSearchField, string>,
  )
  const asked = SEARCH_FIELD_NAMES.flatMap((n) => {
    const value = state[n].trim()
    return value ? [[n, ENCODED.has(n) ? toBase64(value) : value] as const] : []
  })
  const shown = { page: state.page, order: state.order, q: '', retired: state.retired }
  const clear = () => {
    const none = Object.fromEntries(SEARCH_FIELD_NAMES.map((n) => [n, ''])) as Record<LeadSearchField, string>
    setTyped(none)
    setState({ ...none, order: '', page: 1 })
  }
  return (
    <Page
      title="Search leads"
      about="Fill in any of these fields; blank fields are ignored. The search includes leads in trays."
      actions={
        <Button
          component={Link}
          to="/cms/contact/create"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          New lead
        </Button>
      }
    >
      <search className={page.card}>
        <form
          onSubmit={(e) => {
            e.preventDefault()
            setState({ ...typed, page: 1 })
          }}
        >
          <div className={css.fields}>
            {SEARCH_FIELD_NAMES.map((name, n) => (
              <TextInput
                key={name}
                label={SEARCH_FIELD_LABELS[name]}
                type={name === 'phone' || name === 'mobile' ? 'tel' : 'text'}
                autoFocus={n === 0}
                value={typed[name]}
                onChange={(e) => setTyped({ ...typed, [name]: e.currentTarget.value })}
              />
            ))}
          </div>
          <Group justify="flex-end" mt="md">
            <Button variant="subtle" onClick={clear}>
              Clear
            </Button>
            <Button type="submit" leftSection={<IconSearch size={16} aria-hidden />}>
              Search
            </Button>
          </Group>
        </form>
      </search>
      {asked.length > 0 && (
        <DataList
          resource={SEARCH_RESOURCE}
          label="Search results"
          state={shown}
          onState={setState}
          search={false}
          filters={['retired']}
          asked={{
            ...Object.fromEntries(asked),
            ...(state.retired ? { retired: state.retired } : {}),
            ...sortOrderParams(state.order || 'companyName'),
          }}
          columns={[
            { key: 'companyName', title: 'Company', link: true, render: formatLeadName },
            { key: 'name', title: 'Contact', render: (lead) => lead.name || '—' },
            { key: 'phone', title: 'Telephone', tight: true, render: (lead) => <LeadTelephone lead={lead} /> },
            { key: 'city', wide: true },
            { key: 'lastResult', title: 'Last result', tight: true, render: (lead) => <LeadResultChip lead={lead} /> },
            { key: 'owner', order: 'owner.name', render: (lead) => lead.owner?.name ?? 'Unassigned' },
            {
              key: 'callbackDate',
              title: 'Due',
              tight: true,
              wide: true,
              render: (lead) => <RelativeTimeText at={lead.callbackDate} due />,
            },
          ]}
          rowMuted={(lead) => lead.retired}
          href={(lead) => leadPathFromList(lead.id, '')}
          nothing={<EmptyState title="No leads found">Fill in fewer fields or try another spelling.</EmptyState>}
        />
      )}
    </Page>
  )
}
