import { Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router'
import { useTitle } from '#web/shell/title.ts'
import { ErrorState } from '#web/ui/States.tsx'
import { leadName, leadOptions, listedLead } from './lead-data.web.ts'
import { listPath } from './list-state.web.ts'
import css from './view.module.css'
import { LeadScreen } from './view-screen.web.tsx'

/** One lead: its details, its history and the call. */
export default function LeadView() {
  const { id } = useParams()
  const [query] = useSearchParams()
  const from = query.get('from') ?? undefined
  if (!id || !/^\d{1,15}$/.test(id)) return <Navigate to={listPath(from ?? '')} replace />
  return <Loaded key={id} id={Number(id)} from={from} calling={query.get('calling') === '1'} />
}

interface Props {
  readonly id: number
  readonly from: string | undefined
  readonly calling: boolean
}

function Loaded({ id, from, calling }: Props) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const lead = useQuery({ ...leadOptions(id), placeholderData: () => listedLead(queries, id) })
  useTitle(lead.data && leadName(lead.data))
  if (lead.data) return <LeadScreen lead={lead.data} from={from} calling={calling} />
  if (lead.isError)
    return (
      <ErrorState
        error={lead.error}
        onRetry={() =>
          void (lead.error.message && 'status' in lead.error && lead.error.status === 404
            ? navigate(listPath(from ?? ''))
            : lead.refetch())
        }
      />
    )
  if (lead.fetchStatus === 'paused')
    return (
      <ErrorState error="There is no connection, and this lead is not on your device. It comes as soon as there is one." />
    )
  return <Waiting />
}

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
