import { Anchor, Button, Group } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import { EmptyState } from '#web/ui/states.tsx'
import { leadCategoryStyle } from '../contacts/contact-parts.web.tsx'
import { DEFAULT_LEAD_LIST, type LeadListState } from '../contacts/list-state.web.ts'
import { crmNav } from '../nav.ts'

interface Props {
  readonly state: LeadListState
  readonly change: (change: Partial<LeadListState>) => void
  readonly clear: () => void
}

/** Message shown when the lead list is empty, with suggestions for what to do next. */
export function EmptyLeadList({ state, change, clear }: Props) {
  const isWhole = state.tab === 'ALL' || state.tab === 'SEARCH'
  const { owner, due, type, batch } = DEFAULT_LEAD_LIST
  const wider = { owner, due, type, batch }
  const narrowed = state.owner !== owner || state.due !== due || state.type !== type || state.batch !== batch
  if (state.q)
    return (
      <EmptyState
        title={`No lead matches “${state.q}”${isWhole ? '' : ` in ${leadCategoryStyle(state.tab)?.words ?? state.tab}`}`}
        icon={IconSearchOff}
        action={
          <Group gap="sm">
            {(narrowed || !isWhole) && (
              <Button variant="default" onClick={() => change({ ...wider, tab: 'SEARCH' })}>
                Search all leads
              </Button>
            )}
            <Button
              component={Link}
              to={`/cms/contact/create?companyName=${encodeURIComponent(state.q)}`}
              variant="default"
            >
              New lead
            </Button>
          </Group>
        }
      >
        {narrowed || !isWhole
          ? 'Only some leads were searched, because a category, an owner, a date, a business type or an import is selected.'
          : 'Every word must match the company, the person, the town or one of the numbers.'}
      </EmptyState>
    )
  return (
    <EmptyState
      title={
        narrowed
          ? state.batch
            ? 'No leads of this import match the filters'
            : 'No leads match these filters'
          : `${leadCategoryStyle(state.tab)?.words ?? 'Leads'}: none`
      }
      action={
        narrowed || state.tab !== 'ALL' ? (
          <Button variant="default" onClick={clear}>
            Show all leads
          </Button>
        ) : (
          <Button component={Link} to="/cms/contact/create">
            New lead
          </Button>
        )
      }
    >
      {state.batch ? (
        'The import may have been undone, or its leads merged. Show all leads, or choose another import.'
      ) : narrowed ? (
        'Choose another owner, date or business type.'
      ) : (
        <>
          No leads yet. Create one or import a list. Numbers can be called once they have been screened against the TPS
          and CTPS:{' '}
          <Anchor component={Link} to={crmNav.doNotCall.path} inherit>
            import a screening, or decide who screens
          </Anchor>
          .
        </>
      )}
    </EmptyState>
  )
}
