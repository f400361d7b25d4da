import { useQueryClient } from '@tanstack/react-query'
import type { Values } from '#kernel/forms/visible.ts'
import { iriOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import type { QueryParams } from '#web/api/client.ts'
import { storePendingDecisions } from '#web/api/decisions.ts'
import { useActor } from '#web/api/me.ts'
import { changeOptimistically } from '#web/api/optimistic.ts'
import type { DocumentKind } from '../types/kind.ts'
import { clientIdOf, type DocumentRecord } from '../types/record.web.ts'
import { isDeletedOrWithdrawn, stateFlags, type TransitionName } from '../types/transitions.ts'
import { predictTransition } from './predict-transition.ts'

/** Names of transitions, used in error messages about a pending transition. */
const CALLED: Partial<Readonly<Record<TransitionName, string>>> = {
  approve: 'The approval',
  reject: 'The rejection',
  withdraw: 'The withdrawal',
  retire: 'The deletion',
}

/**
 * Returns a function that shows documents as they will be after a transition, in lists and on their page, before the
 * server has responded. That function returns another, to be called when the server has responded. If it is called with
 * an error, it reverts the change. After navigation, errors are shown as toasts.
 */
export function useOptimisticTransition(kind: DocumentKind) {
  const queries = useQueryClient()
  const by = authorOf(useActor()).username
  return (
    records: readonly DocumentRecord[],
    nameOf: (record: DocumentRecord) => TransitionName,
    input: Values = {},
  ) => {
    const at = new Date().toISOString()
    const told = { by, at, input }
    const settleDecisions = storePendingDecisions(
      records.map((record) => ({
        what: `${CALLED[nameOf(record)] ?? 'The restoration'} of ${record.documentNumber} revision ${record.revision}`,
        address: iriOf(kind.resource, record.id),
        before: standOf(record),
        after: standOf(predictTransition(kind, record, nameOf(record), told)),
        at: `${kind.screens.list}/view/${record.id}`,
      })),
    )
    const undo = changeOptimistically<DocumentRecord>(queries, kind.resource, (shown, params) => {
      const after = records.some(({ id }) => id === shown.id)
        ? predictTransition(kind, shown, nameOf(shown), told)
        : records.some((r) => isReplacedBy(kind, shown, r, nameOf(r)))
          ? { ...shown, ...stateFlags('replaced', shown.retired) }
          : shown
      return isAskedFor(after, params) ? after : undefined
    })
    return (error?: unknown) => {
      settleDecisions(error)
      if (error !== undefined) undo()
    }
  }
}

const standOf = ({ state, retired }: DocumentRecord) => ({ state, retired })

const isReplacedBy = (kind: DocumentKind, shown: DocumentRecord, record: DocumentRecord, name: TransitionName) =>
  shown.current &&
  shown.documentNumber === record.documentNumber &&
  clientIdOf(shown) === clientIdOf(record) &&
  kind.transitions[name].effects.includes('replace the current revision')

/** Returns whether the list's filters for status and deletion still include the record. */
const isAskedFor = (record: DocumentRecord, { state, deleted }: QueryParams) =>
  (!state || state === record.state) &&
  (typeof deleted !== 'string' || !deleted || deleted === String(isDeletedOrWithdrawn(record)))
