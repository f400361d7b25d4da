import { Button, Text } from '@mantine/core'
import { Link } from 'react-router'
import { can } from '#kernel/can.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { formVersion } from '../types/document-fields.ts'
import type { DocumentScreenProps } from '../types/kind.web.ts'
import { clientIdOf } from '../types/record.web.ts'
import { formPaths } from './labels.ts'

const LIST = listUrlSchema({})

/** Versions of a type's form, newest first: the company's own and those for all companies. */
export default function FormVersionsPage({ parts: { kind } }: DocumentScreenProps) {
  const actor = useActor()
  const paths = formPaths(kind)
  const [state, set] = useUrlState(LIST)
  return (
    <Page
      title={`Form for ${kind.nav.title.toLowerCase()}`}
      back={{ label: kind.nav.title, to: kind.screens.list }}
      about={`A new ${kind.noun} uses the newest version that fits best: your company’s version for the industry, your company’s general version, the industry’s version, or the built-in form. Documents already started keep their version until their author switches to a newer one.`}
      actions={
        can(actor, 'create', formVersion) && (
          <Button component={Link} to={paths.change}>
            Edit form questions
          </Button>
        )
      }
    >
      <DataList
        resource={formVersion}
        label="Versions"
        state={state}
        onState={set}
        params={{ kind: kind.kind }}
        search={false}
        href={(row) => paths.of(row.id)}
        columns={[
          {
            key: 'notes',
            title: 'What is new',
            link: true,
            render: (row) => row.notes || 'No description',
          },
          {
            key: 'client',
            title: 'Source',
            render: (row) =>
              row.declared ? (
                <StatusChip>Built-in</StatusChip>
              ) : clientIdOf(row) === PROVIDER_CLIENT_ID ? (
                <StatusChip meaning="info">Provider</StatusChip>
              ) : (
                'Own'
              ),
          },
          { key: 'number', title: 'Version', align: 'right', width: 90 },
          {
            key: 'industry',
            title: 'Industry',
            render: (row) => row.industry?.name ?? <Text c="dimmed">Any</Text>,
          },
          {
            key: 'from',
            title: 'In use from',
            tight: true,
            render: (row) =>
              row.declared && row.number === 1 ? 'From the beginning' : formatIsoAsUkDateTime(row.from),
          },
          { key: 'author', title: 'Added by', wide: true, render: (row) => <PersonName username={row.author} /> },
        ]}
      />
    </Page>
  )
}
