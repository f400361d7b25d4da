import { hasRole, PROVIDER } from '#kernel/roles.ts'
import { lastMinute } from '#kernel/time.ts'
import { useActor } from '#web/api/me.ts'
import { useNames } from '#web/api/names.ts'
import { type Waiting, WaitingParts, WaitingRow } from '#web/dashboard/waiting.tsx'
import { Relative } from '#web/dates/relative.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { READERS } from '../rights.ts'
import { ToSignPart } from '../signoff/asked-parts.web.tsx'
import type { LazyKind } from '../types/kind.web.ts'
import { type DocumentRow, type DocumentWork, documentWork, listsOf, placeOf, readAt } from './own-work.web.ts'

/** Documents for the user to approve, sign, review or finish. */
export function DocumentParts({ kinds }: { readonly kinds: readonly LazyKind[] }) {
  const actor = useActor()
  const today = londonToday()
  const lists = documentWork(actor, today).map(
    ({ name, title, url }): Waiting<DocumentRow> & Pick<DocumentWork, 'name'> => ({
      name,
      title,
      url,
      more: (rows) => listsOf(kinds, name, rows, actor.username, today),
      row: (d) => (
        <WaitingRow
          to={name === 'improved' ? readAt(kinds, d) : placeOf(kinds, d)}
          title={d.title || `Untitled ${kinds.find((k) => k.kind === d.kind)?.noun ?? 'document'}`}
          detail={<Detail of={d} />}
        >
          {name === 'review' && (
            <Relative at={d.reviewDue && lastMinute(Temporal.PlainDate.from(d.reviewDue)).toString()} due />
          )}
          {name === 'awaited' && `${d.asked - d.missing} of ${d.asked} signed`}
          {(name === 'approve' || name === 'finish') && <Relative at={d.updatedAt} />}
        </WaitingRow>
      ),
    }),
  )
  return (
    <>
      {actor.clientId !== PROVIDER && hasRole(actor, READERS) && (
        <ToSignPart kinds={kinds} everybodys={lists.find(({ name }) => name === 'sign')} idOf={(d) => d.id} />
      )}
      <WaitingParts lists={lists.filter(({ name }) => name !== 'sign')} />
    </>
  )
}

function Detail({ of: d }: { readonly of: DocumentRow }) {
  const nameOf = useNames([d.author])
  return `${d.documentNumber} revision ${d.revision}${
    d.state === 'rejected'
      ? `, rejected: “${d.decisionNote || 'no reason was given'}”`
      : d.state === 'draft'
        ? ', draft'
        : `, by ${nameOf(d.author) || 'somebody'}`
  }`
}
