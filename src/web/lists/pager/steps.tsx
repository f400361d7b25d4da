import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import type { Resource } from '#kernel/resource.ts'
import { listQueryOptions } from '../../api/resources.ts'
import { useShortcuts } from '../../ui/keys/shortcuts.ts'
import { toast } from '../../ui/toast.ts'
import { RecordPagerButtons } from './step-buttons.tsx'
import { goToNeighbouringRecord, hasRecordAt, useRecordPager } from './use-record-pager.ts'

/**
 * Buttons for the previous and the next record in the list that the current record was opened from. The list's filters
 * and order apply.
 */
export default function RecordPagerControls() {
  const { pathname, search } = useLocation()
  const on = useRecordPager(pathname, search)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const step = (by: 1 | -1) => {
    if (!on || !hasRecordAt(on.walk, on.index + by)) return
    const read = async (url: string, params: object) => {
      const answer = await queries.fetchQuery(listQueryOptions({ url } as Resource, params as Record<string, string>))
      return answer['hydra:member']
    }
    goToNeighbouringRecord(on, by, { read, go: (to, state) => void navigate(to, { state }) }).catch((e: unknown) =>
      toast.failed(e),
    )
  }
  const before = () => step(-1)
  const after = () => step(1)
  useShortcuts(
    on
      ? [
          { keys: 'ArrowLeft', label: 'Previous in the list', run: before },
          { keys: 'ArrowRight', label: 'Next in the list', run: after },
        ]
      : [],
  )
  if (!on) return null
  const { walk, index } = on
  return (
    <RecordPagerButtons
      place={walk.total === undefined ? undefined : { at: (walk.page - 1) * walk.size + index + 1, of: walk.total }}
      before="Previous in the list"
      after="Next in the list"
      hasBefore={hasRecordAt(walk, index - 1)}
      hasAfter={hasRecordAt(walk, index + 1)}
      onBefore={before}
      onAfter={after}
    />
  )
}
