import { useQueryClient } from '@tanstack/react-query'
import type { Values } from '#kernel/forms/visible.ts'
import { author } from '#kernel/roles.ts'
import { changeAtOnce } from '#web/api/at-once.ts'
import type { Params } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import type { DocumentKind } from '../kinds/kind.ts'
import { clientOf, type DocumentRecord } from '../kinds/record.web.ts'
import { flagsOf } from '../kinds/states.ts'
import type { TransitionName } from '../kinds/transitions.ts'
import { afterwards } from './afterwards.ts'

/**
 * Shows documents as they will be once a transition is made, before the server has answered: in lists and where they are open.
 * What it gives back shows what they were.
 */
export function useShowTransition(kind: DocumentKind) {
  const queries = useQueryClient()
  const by = author(useActor()).username
  return (records: readonly DocumentRecord[], nameOf: (record: DocumentRecord) => TransitionName, input: Values = {}) =>
    changeAtOnce<DocumentRecord>(queries, kind.resource, (shown, params) => {
      const at = new Date().toISOString()
      const after = records.some(({ id }) => id === shown.id)
        ? afterwards(kind, shown, nameOf(shown), { by, at, input })
        : records.some((r) => isReplacedBy(kind, shown, r, nameOf(r)))
          ? { ...shown, ...flagsOf('replaced', shown.retired) }
          : shown
      return isAskedFor(after, params) ? after : undefined
    })
}

const isReplacedBy = (kind: DocumentKind, shown: DocumentRecord, record: DocumentRecord, name: TransitionName) =>
  shown.current &&
  shown.documentNumber === record.documentNumber &&
  clientOf(shown) === clientOf(record) &&
  kind.transitions[name].effects.includes('replace the current revision')

/** Is it still in a list that was narrowed by state? */
const isAskedFor = (record: DocumentRecord, { state, retired }: Params) =>
  (!state || state === record.state) && (typeof retired !== 'string' || !retired || retired === String(record.retired))
