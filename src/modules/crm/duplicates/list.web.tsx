import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { DUPLICATE_REASON_LABELS, duplicatePair } from './pair.ts'

const LIST = listUrlSchema({ state: z.enum(['', 'suspect', 'separate', 'merged']).default('suspect') })

type Pair = RecordOf<typeof duplicatePair>
const nameOf = (lead: Pair['first']) =>
  [lead.companyName || lead.name || `Lead ${lead.id}`, lead.city].filter(Boolean).join(', ')

/** Pairs of possible duplicates, most likely first. Each pair opens in the comparison screen. */
export default function DuplicatesPage() {
  const actor = useActor()
  const [state, setState] = useUrlState(LIST)
  const sweep = async () => {
    try {
      await callApi('POST', `${duplicatePair.url}/sweep`)
      toast.info(
        'All leads are being searched. You will be notified when the search is done. Possible duplicates appear in this list.',
      )
    } catch (e) {
      toast.failed(e, () => void sweep())
    }
  }
  const look = hasRole(actor, 'ROLE_LEADS_ADMIN') && (
    <Button leftSection={<IconSearch size={16} aria-hidden />} onClick={() => void sweep()}>
      Find duplicates
    </Button>
  )
  return (
    <Page title="Possible duplicates" actions={look}>
      <DataList
        resource={duplicatePair}
        label="Possible duplicates"
        state={state}
        onState={setState}
        search={false}
        filters={['state']}
        empty={
          <EmptyState title="No possible duplicates">
            All leads are searched for duplicates every night and after each import. A lead administrator can also
            search them now.
          </EmptyState>
        }
        columns={[
          { key: 'first', title: 'Lead', link: true, render: (row) => nameOf(row.first) },
          { key: 'second', title: 'Possible duplicate of', render: (row) => nameOf(row.second) },
          {
            key: 'reasons',
            title: 'Matching details',
            wide: true,
            render: (row) => row.reasons.map((r) => DUPLICATE_REASON_LABELS[r] ?? r).join(', ') || '—',
          },
          { key: 'strength', title: 'Likelihood', render: (row) => `${row.strength} out of 100` },
          'state',
        ]}
        href={(row) => `/crm/merge/${row.first.id}/${row.second.id}`}
      />
    </Page>
  )
}
