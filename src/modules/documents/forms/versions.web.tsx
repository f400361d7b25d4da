import { Button, Text } from '@mantine/core'
import { Link } from 'react-router'
import { can } from '#kernel/can.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { showMoment } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { formVersion } from '../types/form-version.ts'
import type { ScreenProps } from '../types/kind.web.ts'
import { clientOf } from '../types/record.web.ts'
import { formPaths } from './paths.ts'

const LIST = listSchema({})

/** Versions of a type's form, newest first: the company's own and the shared ones. */
export default function FormVersions({ parts: { kind } }: ScreenProps) {
  const actor = useActor()
  const paths = formPaths(kind)
  const [state, set] = useUrlState(LIST)
  return (
    <Page
      title={`Form of ${kind.nav.title.toLowerCase()}`}
      back={{ label: kind.nav.title, to: kind.screens.list }}
      about={`A new ${kind.noun} begins with the newest version that fits best: of your company and the industry, of your company, of the industry, or as the portal brings it. What has been begun keeps its version until its author takes the newest.`}
      actions={
        can(actor, 'create', formVersion) && (
          <Button component={Link} to={paths.change}>
            Change the form
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
            render: (row) => row.notes || 'Nothing has been said',
          },
          {
            key: 'client',
            title: 'Whose',
            render: (row) =>
              row.declared ? (
                <StatusChip>As the portal brings it</StatusChip>
              ) : clientOf(row) === PROVIDER ? (
                <StatusChip meaning="info">Everybody’s</StatusChip>
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
            title: 'Used from',
            tight: true,
            render: (row) => (row.declared && row.number === 1 ? 'The beginning' : showMoment(row.from)),
          },
          { key: 'author', title: 'By', wide: true, render: (row) => <PersonName username={row.author} /> },
        ]}
      />
    </Page>
  )
}
