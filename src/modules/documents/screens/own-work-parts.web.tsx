import { hasRole, PROVIDER } from '#kernel/roles.ts'
import { lastMinuteOfDay } from '#kernel/time.ts'
import { useActor } from '#web/api/me.ts'
import { useNames } from '#web/api/names.ts'
import { type WaitingWork, WaitingWorkRow, WaitingWorkSections } from '#web/dashboard/waiting.tsx'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { DOCUMENT_READERS } from '../rights.ts'
import { ToSignPart } from '../signoff/asked-parts.web.tsx'
import type { LazyKind } from '../types/kind.web.ts'
import {
  type DashboardDocument,
  type DocumentWork,
  documentListLinks,
  documentViewPath,
  documentWorkLists,
  documentWorkPath,
} from './own-work.web.ts'

/** Documents for the user to approve, sign, review or finish. */
export function DocumentWorkParts({ kinds }: { readonly kinds: readonly LazyKind[] }) {
  const actor = useActor()
  const today = londonToday()
  const lists = documentWorkLists(actor, today).map(
    ({ name, title, url }): WaitingWork<DashboardDocument> & Pick<DocumentWork, 'name'> => ({
      name,
      title,
      url,
      more: (rows) => documentListLinks(kinds, name, rows, actor.username, today),
      row: (d) => (
        <WaitingWorkRow
          to={name === 'improved' ? documentViewPath(kinds, d) : documentWorkPath(kinds, d)}
          title={d.title || `Untitled ${kinds.find((k) => k.kind === d.kind)?.noun ?? 'document'}`}
          detail={<Detail of={d} />}
        >
          {name === 'review' && (
            <RelativeTimeText
              at={d.reviewDue && lastMinuteOfDay(Temporal.PlainDate.from(d.reviewDue)).toString()}
              due
            />
          )}
          {name === 'awaited' && `${d.asked - d.missing} of ${d.asked} signed`}
          {(name === 'approve' || name === 'finish') && <RelativeTimeText at={d.updatedAt} />}
        </WaitingWorkRow>
      ),
    }),
  )
  return (
    <>
      {actor.clientId !== PROVIDER && hasRole(actor, DOCUMENT_READERS) && (
        <ToSignPart kinds={kinds} everybodys={lists.find(({ name }) => name === 'sign')} idOf={(d) => d.id} />
      )}
      <WaitingWorkSections lists={lists.filter(({ name }) => name !== 'sign')} />
    </>
  )
}

function Detail({ of: d }: { readonly of: DashboardDocument }) {
  const nameOf = useNames([d.author])
  return `${d.documentNumber} revision ${d.revision}${
    d.state === 'rejected'
      ? `, rejected: “${d.decisionNote || 'no reason was given'}”`
      : d.state === 'draft'
        ? ', draft'
        : `, by ${nameOf(d.author) || 'somebody'}`
  }`
}
