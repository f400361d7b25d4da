import { Button } from '@mantine/core'
import { Navigate, useNavigate } from 'react-router'
import { can } from '#kernel/can.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import { policy } from './policy.ts'

/** Empty state of a company without a policy, with a button to draft a policy. */
function NoPolicyState() {
  const actor = useActor()
  const navigate = useNavigate()
  const begin = async () => {
    try {
      const { id } = await callApi<{ id: number }>('POST', '/api/safety/setup_policy')
      await navigate(`${policy.screens.update}/${id}`)
    } catch (e) {
      toast.failed(e, () => void begin())
    }
  }
  const setUp = useSingleFlight(begin)
  const may = can(actor, 'create', policy.resource)
  return (
    <EmptyState title="No policy in force" action={may && <Button onClick={() => void setUp()}>Set up policy</Button>}>
      {may
        ? 'This creates a draft with a statement of intent, functions and arrangements. Add the responsible people and remove what doesn’t apply to your company.'
        : 'Your company’s policy appears here once it is in force.'}
    </EmptyState>
  )
}

/** List of the company's policies in force or, if none is in force, its latest complete policy. */
const list = { ...policy.resource, url: `${policy.resource.url}/list` }

interface Props {
  readonly writing?: boolean
}

/**
 * Redirects to the company's policy or, if `writing` is true, to its draft, if there is one. If there is no policy,
 * shows the empty state. Used by links that contain no document ID.
 */
export default function CurrentPolicyPage({ writing = false }: Props) {
  const actor = useActor()
  const drafts = useList(
    policy.resource,
    { state: 'draft', retired: false, client: actor.clientId, itemsPerPage: 1 },
    { enabled: writing },
  )
  const current = useList(list, { current: 1, itemsPerPage: 1 })
  const [draft] = drafts.data?.['hydra:member'] ?? []
  const [found] = current.data?.['hydra:member'] ?? []
  const error = current.error ?? drafts.error
  const waits = !current.data || (writing && !drafts.data)
  if (draft) return <Navigate replace to={`${policy.screens.update}/${draft.id}`} />
  if (found && !waits) return <Navigate replace to={`${policy.screens.list}/view/${found.id}`} />
  return (
    <Page title="Policy" back={{ label: policy.nav.title, to: policy.screens.list }}>
      {error ? (
        <ErrorState
          error={error}
          onRetry={() => {
            void current.refetch()
            if (writing) void drafts.refetch()
          }}
        />
      ) : waits ? (
        <LoadingRows rows={3} />
      ) : (
        <NoPolicyState />
      )}
    </Page>
  )
}
