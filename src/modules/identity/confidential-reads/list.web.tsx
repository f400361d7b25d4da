import { Alert, Anchor, Text } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { use } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { labelOfType, type RecordOf } from '#kernel/resource.ts'
import { useActor, useMe } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useFilterCounts } from '#web/lists/use-counts.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { weekFilterSchema, weekOptions, weekParams } from '#web/lists/weeks.ts'
import { ModulesContext } from '#web/shell/manifest/module.ts'
import { recordPagePath } from '#web/shell/manifest/page.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { confidentialRead, workingAsText } from './confidential-read.ts'

type Read = RecordOf<typeof confidentialRead>

const LIST = listUrlSchema({
  when: weekFilterSchema,
  recordType: z.string().max(60).default(''),
  readBy: z.string().max(20).default(''),
  record: z.string().max(200).default(''),
})

/** Types of records in the log, as options of a filter. */
function useTypeOptions() {
  const counts = useFilterCounts({ url: confidentialRead.url, askedWith: () => ({}) }, { key: 'recordType', label: '' })
  return [...(counts?.keys() ?? [])]
    .map((value) => ({ value, label: labelOfType(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}

/** Kind of a reader. Readers from outside the company stand out. */
function ReaderChip({ of }: { readonly of: Read['readBy'] }) {
  const label = confidentialRead.fields.readBy.options?.find(({ value }) => value === of)?.label
  return label && <StatusChip meaning={of === 'company' ? 'plain' : 'attention'}>{label}</StatusChip>
}

/** Log of confidential reads of a company: reader, account used, record, fields and time. */
export default function ConfidentialReadsPage() {
  const [state, set] = useUrlState(LIST)
  const actor = useActor()
  const me = useMe()
  const pages = use(ModulesContext).flatMap((module) => module.pages)
  const types = useTypeOptions()
  const pathOf = ({ partOf, record }: Read) => {
    const iri = partOf ?? record
    return iri ? recordPagePath(pages, actor, iri) : undefined
  }
  const { when, record } = state
  return (
    <Page
      title="Confidential data: who read it"
      about="Each read of confidential data, such as a drawn signature, is logged here with the reader, the record and the time, but not the data. Nobody can change or delete an entry."
    >
      {actor.original && (
        <Alert color="yellow" icon={<IconEye aria-hidden />} title={`You are reading this log as ${me.name}`}>
          Only {me.client.company}’s administrators can read this log. Your provider’s staff can read it only while
          working as one of them, and the company’s impersonation log shows when they did.
        </Alert>
      )}
      {record && (
        <Text>
          Only reads of one record are shown.{' '}
          <Anchor component={Link} to=".">
            Show all records
          </Anchor>
        </Text>
      )}
      <DataList
        resource={confidentialRead}
        label="Confidential reads"
        state={state}
        onState={set}
        search="Search by username"
        searchBy="username"
        params={weekParams('readAt', when)}
        filters={[
          { key: 'when', label: 'Date', options: weekOptions(when) },
          { key: 'recordType', label: 'Type', options: types },
          'readBy',
        ]}
        empty={
          <EmptyState title={record ? 'No reads of this record yet' : 'No confidential data read yet'}>
            Reads of confidential data appear here with the reader, the record and the time.
          </EmptyState>
        }
        columns={[
          { key: 'readAt', title: 'Date and time', tight: true, render: (r: Read) => <DateTimeText at={r.readAt} /> },
          { key: 'name', title: 'Read by', link: true },
          { key: 'username', title: 'Username', wide: true },
          {
            key: 'asName',
            title: 'Working as',
            fields: ['asName;asUsername'],
            render: workingAsText,
          },
          {
            key: 'readBy',
            title: 'Reader',
            tight: true,
            render: (r: Read) => <ReaderChip of={r.readBy} />,
          },
          {
            key: 'recordName',
            title: 'Record',
            render: (r: Read) => {
              const path = pathOf(r)
              return path ? (
                <Anchor component={Link} to={path}>
                  {r.recordName}
                </Anchor>
              ) : (
                r.recordName
              )
            },
          },
          { key: 'data', title: 'Data read', render: (r: Read) => (r.data ?? []).join(', ') },
          { key: 'reason', wide: true },
        ]}
      />
    </Page>
  )
}
