import { Anchor, Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { formatInteger } from '#kernel/text.ts'
import { useActor } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { letterTemplate } from './letter.ts'

const LIST = listUrlSchema({})

/** List of letters for printing, newest first. Retired letters are listed separately. */
export default function LettersPage() {
  const actor = useActor()
  const retired = useLocation().pathname.endsWith('/retired')
  const [state, set] = useUrlState(LIST)
  const mayWrite = hasRole(actor, letterTemplate.allow.create ?? 'nobody')
  const newOne = (
    <Button component={Link} to="/letters/update" leftSection={<IconPlus size={16} aria-hidden />}>
      New letter
    </Button>
  )
  return (
    <Page
      title={retired ? 'Retired letters' : 'Letters'}
      about={
        retired
          ? 'Select letters to restore them. Printed copies remain with the leads.'
          : 'Letters to send by post. To print a letter for many leads, select the leads in the lead list. To print one for a single lead, open the lead.'
      }
      {...(retired ? { back: { label: 'Letters', to: '/letters' } } : {})}
      actions={
        !retired && (
          <>
            <Button component={Link} to="/letters/retired" variant="default">
              Retired
            </Button>
            <Button component={Link} to="/letters/assigned" variant="default">
              Printed letters
            </Button>
            {mayWrite && newOne}
          </>
        )
      }
    >
      <DataList
        key={String(retired)}
        resource={letterTemplate}
        label="Letters"
        state={state}
        onState={set}
        params={{ retired }}
        search="Search by name"
        searchBy="name"
        columns={[
          { key: 'name', link: true },
          { key: 'subject', wide: true },
          { key: 'timestamp', title: 'Created', render: (row) => <DateTimeText at={row.timestamp} /> },
          { key: 'author', title: 'Created by', inCard: false },
          {
            key: 'printed',
            title: 'Leads printed for',
            render: (row) =>
              row.printed ? (
                <Anchor
                  component={Link}
                  to={`/letters/assigned/${row.id}`}
                  onClick={(e) => e.stopPropagation()}
                  inherit
                >
                  {formatInteger(row.printed)} {row.printed === 1 ? 'lead' : 'leads'}
                </Anchor>
              ) : (
                <Text size="sm" c="dimmed" component="span">
                  None
                </Text>
              ),
          },
        ]}
        href={(row) => `/letters/update/${row.id}`}
        empty={
          retired ? (
            <EmptyState title="No retired letters">Letters that are no longer used can be retired.</EmptyState>
          ) : (
            <EmptyState title="No letters yet" {...(mayWrite ? { action: newOne } : {})}>
              {mayWrite
                ? 'Write a letter once, with fields for the parts that vary, and print it for any number of leads.'
                : 'Mail and lead administrators can write letters.'}
            </EmptyState>
          )
        }
      />
    </Page>
  )
}
