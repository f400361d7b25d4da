import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { z } from 'zod'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { PresentedTalkStatusChip } from './presented-chip.web.tsx'
import { useOpenTalksForPresenting } from './presented-data.web.ts'
import { PRESENTED_TALKS_PATH } from './talk-info.ts'
import { presentedTalk } from './toolbox-talk.ts'

const LIST = listUrlSchema({ retired: retiredFilterSchema, complete: z.enum(['', 'true', 'false']).default('') })

/** Records of presented talks, which are the evidence of attendance. */
export default function PresentedTalksPage() {
  const [state, set] = useUrlState(LIST)
  useOpenTalksForPresenting()
  return (
    <Page
      title="Presented talks"
      actions={
        <Button component={Link} to="/safety/toolbox-talks">
          Choose a talk to present
        </Button>
      }
    >
      <DataList
        resource={presentedTalk}
        label="Presented talks"
        state={state}
        onState={set}
        search="Search by talk, presenter or place"
        filters={[
          {
            key: 'complete',
            label: 'Status',
            options: [
              { value: 'false', label: 'Open' },
              { value: 'true', label: 'Closed' },
            ],
          },
          { key: 'retired', label: 'Deleted' },
        ]}
        columns={[
          { key: 'title', title: 'Talk' },
          { key: 'status', title: 'Status', tight: true, render: (t) => <PresentedTalkStatusChip record={t} /> },
          { key: 'date' },
          'presenter',
          'place',
          { key: 'signed', title: 'Signed', render: (t) => t.signed || '—' },
        ]}
        href={(t) => `${PRESENTED_TALKS_PATH}/${t.id}`}
        rowMuted={(t) => t.retired}
        empty={
          <EmptyState
            title="No talks presented yet"
            action={
              <Button component={Link} to="/safety/toolbox-talks">
                Choose a talk to present
              </Button>
            }
          >
            Choose a talk, add the attendees and ask each of them to sign.
          </EmptyState>
        }
      />
    </Page>
  )
}
