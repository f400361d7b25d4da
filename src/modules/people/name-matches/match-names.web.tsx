import { Button, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { INCIDENT_READER_ROLE } from '#modules/incidents/rights.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { invalidateLists } from '#web/api/resources.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { type BatchJobRecord, followBatchJob } from '#web/lists/extras/runs.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, OfflineNotice } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { PEOPLE_PATHS } from '../nav.ts'
import { FIND_NAME_MATCHES_URL, MATCH_STATES, nameMatch } from './name-match.ts'

type NameMatch = RecordOf<typeof nameMatch>

const value = z.string().default('')
const LIST = listUrlSchema({ state: z.string().default('proposed'), source: value })

const MEANINGS = { proposed: 'attention', ambiguous: 'stop', confirmed: 'safe', rejected: 'plain' } as const

const WORDS = {
  confirm: {
    title: 'Confirm',
    done: 'confirmed',
    question: 'Each name is linked to the employee shown beside it. The text stays as it was typed.',
  },
  reject: { title: 'Reject', done: 'rejected', question: 'These names are not proposed again at the same place.' },
  reconsider: {
    title: 'Undo the decision',
    done: 'restored',
    question: 'Links of confirmed names are removed, and the names are proposed again.',
  },
}

/** Proposals of the employees behind typed names, which a person confirms or rejects. */
export default function MatchNames() {
  const [state, setState] = useUrlState(LIST)
  const mayReadIncidents = hasRole(useActor(), INCIDENT_READER_ROLE)
  return (
    <Page
      title="Match names"
      back={{ label: 'Overview', to: PEOPLE_PATHS.overview }}
      about="Names that were typed and that one employee has. Confirming links the employee; the text stays as it was typed."
    >
      <OfflineNotice>You are offline. You can confirm matches when the connection is back.</OfflineNotice>
      <Text size="sm">
        Only records that can still change are searched: drafts of documents, open corrective actions, attendees who
        have not signed yet, and injured parties of incidents that are not closed. Approved and signed documents keep
        their text.
        {mayReadIncidents ? '' : ' Injured parties are shown only to people who may read health details.'}
      </Text>
      <DataList
        resource={nameMatch}
        label="Matches"
        state={state}
        onState={setState}
        search="Search by name"
        filters={['state', 'source']}
        actions={<SearchButton />}
        columns={[
          'name',
          { key: 'employee', render: (one: NameMatch) => one.employee?.name ?? sharedBy(one) },
          'source',
          'record',
          {
            key: 'state',
            tight: true,
            render: (one: NameMatch) => <StatusChip meaning={MEANINGS[one.state]}>{labelOfState(one)}</StatusChip>,
          },
        ]}
        bulkWords={WORDS}
        nothing={<EmptyState title="No matches found">Search for matches, or change the filters.</EmptyState>}
      />
    </Page>
  )
}

const labelOfState = ({ state }: NameMatch) => MATCH_STATES.find(({ value: one }) => one === state)?.label

const sharedBy = ({ candidates }: NameMatch): string => `${candidates} employees have this name`

/** Button that compares all typed names with the employees, in the background. */
function SearchButton() {
  const queryClient = useQueryClient()
  const search = useMutation({
    mutationFn: async () => {
      const { run } = await callApi<{ readonly run: string }>('POST', FIND_NAME_MATCHES_URL, {})
      return followBatchJob(await callApi<BatchJobRecord>('GET', run), () => undefined)
    },
    onSuccess: ({ state, error }) => {
      if (state === 'done') toast.info('All names are compared with the employees', 'safe')
      else toast.info(error || 'The search was stopped', 'stop')
      void invalidateLists(queryClient, nameMatch)
    },
    onError: (error) => toast.failed(error),
  })
  return (
    <Button
      leftSection={<IconSearch size={16} aria-hidden />}
      loading={search.isPending}
      onClick={() => search.mutate()}
    >
      Search for matches
    </Button>
  )
}
