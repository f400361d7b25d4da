import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { leadSource } from '#modules/crm/contacts/import-batch.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { emptyFieldFilter, emptyFieldFilterSchema } from '#web/lists/empty-field-filter.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { weekFilterSchema, weekOptions, weekParams } from '#web/lists/weeks.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { WEBSITE_FILTER, websiteFilterSchema } from '../counted/counted-sale.ts'

const id = z.string().regex(/^\d*$/).default('')
const LIST = listUrlSchema({
  when: weekFilterSchema,
  cameFrom: id,
  notSaid: emptyFieldFilterSchema,
  web: websiteFilterSchema,
})

type Lead = RecordOf<typeof contact>

/** Page with the leads added in a period. The enquiry figures link to this page. */
export default function NewLeadsPage() {
  const [state, set] = useUrlState(LIST)
  const sources = useList(leadSource, { pagination: false }).data?.['hydra:member'] ?? []
  const named = new Map<string | null, string>(sources.map((one) => [one['@id'], one.name]))
  return (
    <Page title="New leads" back={{ to: '/cms/analysis/salesources', label: 'Sales by source' }}>
      <DataList
        resource={contact}
        label="New leads"
        state={state}
        onState={set}
        search={false}
        params={{ retired: false, 'order[createdAt]': 'desc', ...weekParams('createdAt', state.when) }}
        filters={[
          { key: 'when', label: 'Added', options: weekOptions(state.when) },
          'cameFrom',
          emptyFieldFilter({ cameFrom: 'Lead source' }),
          WEBSITE_FILTER,
        ]}
        empty={<EmptyState title="No leads yet">Leads appear here from the day they are added.</EmptyState>}
        columns={[
          {
            key: 'companyName',
            title: 'Lead',
            link: true,
            render: (l: Lead) => l.companyName || l.name || `Lead ${l.id}`,
          },
          { key: 'createdAt', title: 'Added', tight: true, render: (l: Lead) => <DateTimeText at={l.createdAt} /> },
          { key: 'cameFrom', title: 'Lead source', tight: true, render: (l: Lead) => named.get(l.cameFrom) ?? '—' },
          { key: 'owner', title: 'Owner', tight: true },
          { key: 'lastResult', title: 'Last result', tight: true },
        ]}
        href={(l) => `/crm/contact/view/${l.id}`}
      />
    </Page>
  )
}
