import { Button, Skeleton } from '@mantine/core'
import { IconArrowsJoin2, IconSearchOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Navigate, useParams, useSearchParams } from 'react-router'
import { lastIriSegment, parseId } from '#kernel/iri.ts'
import { ApiError } from '#web/api/client.ts'
import { useQueuedChanges } from '#web/forms/queued-changes.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { contact } from '../contacts/contact.ts'
import { findListedLead, formatLeadName, leadQueryOptions } from '../contacts/data.web.ts'
import { leadListPath } from '../contacts/list-state.web.ts'
import css from './calling.module.css'
import { PreviousLeadNoteField } from './late-note.web.tsx'
import { LeadScreen } from './screen.web.tsx'

/** Screen for a lead, with its details, timeline and call panel. */
export default function LeadPage() {
  const { id } = useParams()
  const [query] = useSearchParams()
  const from = query.get('from') ?? undefined
  const lead = parseId(id)
  if (lead === undefined) return <Navigate to={leadListPath(from ?? '')} replace />
  return (
    <>
      <Loaded key={lead} id={lead} from={from} calling={query.get('calling') === '1'} />
      <PreviousLeadNoteField />
    </>
  )
}

interface Props {
  readonly id: number
  readonly from: string | undefined
  readonly calling: boolean
}

function Loaded({ id, from, calling }: Props) {
  const queries = useQueryClient()
  const lead = useQuery({ ...leadQueryOptions(id), placeholderData: () => findListedLead(queries, id) })
  usePageTitle(lead.data && formatLeadName(lead.data))
  const kept = useQueuedChanges(`${contact.url}/${id}`)
  if (lead.data?.mergedInto) return <WentInto name={formatLeadName(lead.data)} survivor={lead.data.mergedInto} />
  if (lead.data) return <LeadScreen lead={{ ...lead.data, ...kept }} from={from} calling={calling} />
  if (lead.error instanceof ApiError && lead.error.status === 404) return <Missing from={from} />
  if (lead.isError) return <ErrorState error={lead.error} onRetry={() => void lead.refetch()} />
  if (lead.fetchStatus === 'paused')
    return (
      <ErrorState error="There is no connection, and this lead is not stored on your device. The lead will load once you are online." />
    )
  return <Waiting />
}

/** Message shown at the URL of a lead that has been merged into another lead. */
const WentInto = ({ name, survivor }: { readonly name: string; readonly survivor: string }) => (
  <Page title={name}>
    <EmptyState
      title="This lead has been merged into another"
      icon={IconArrowsJoin2}
      action={
        <Button component={Link} to={`/crm/contact/view/${lastIriSegment(survivor)}`}>
          Open the merged lead
        </Button>
      }
    >
      The notes, calls, quotes and files of both leads are on the merged lead, where you can also undo the merge.
    </EmptyState>
  </Page>
)

const Missing = ({ from }: Pick<Props, 'from'>) => (
  <EmptyState
    title="This lead could not be found"
    icon={IconSearchOff}
    action={
      <Button component={Link} to={leadListPath(from ?? '')} variant="default">
        Back to the list
      </Button>
    }
  >
    The URL may be mistyped, or the lead may no longer exist.
  </EmptyState>
)

const Waiting = () => (
  <div role="status" aria-label="Loading">
    <Skeleton height={34} width={320} mb="md" />
    <div className={css.columns}>
      <Skeleton height={480} />
      <Skeleton height={480} />
      <Skeleton height={480} />
    </div>
  </div>
)
