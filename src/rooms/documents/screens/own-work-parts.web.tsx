import { holds, PROVIDER } from '#kernel/roles.ts'
import { lastMinute } from '#kernel/time.ts'
import { useActor } from '#web/api/me.ts'
import { useNames } from '#web/api/names.ts'
import { type Waiting, WaitingParts, WaitingRow } from '#web/dashboard/waiting.tsx'
import { Relative } from '#web/dates/relative.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import type { KindFace } from '../kinds/kind-face.ts'
import { READERS } from '../rights.ts'
import { AskedParts } from '../signoff/asked-parts.web.tsx'
import { type DocumentRow, documentWork, listsOf, placeOf } from './own-work.web.ts'

/** The controlled documents that wait for this person: to be approved, signed, reviewed or finished. */
export function DocumentParts({ kinds }: { readonly kinds: readonly KindFace[] }) {
  const actor = useActor()
  const today = londonToday()
  const lists = documentWork(actor, today).map(
    ({ name, title, url }): Waiting<DocumentRow> => ({
      title,
      url,
      more: (rows) => listsOf(kinds, name, rows, actor.username, today),
      row: (d) => (
        <WaitingRow
          to={placeOf(kinds, d)}
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
      {actor.clientId !== PROVIDER && holds(actor, READERS) && <AskedParts kinds={kinds} />}
      <WaitingParts lists={lists} />
    </>
  )
}

function Detail({ of: d }: { readonly of: DocumentRow }) {
  const nameOf = useNames([d.author])
  return `${d.documentNumber} revision ${d.revision}${
    d.state === 'rejected'
      ? `, rejected: “${d.decisionNote || 'no reason was given'}”`
      : d.state === 'draft'
        ? ', being written'
        : `, by ${nameOf(d.author) || 'somebody'}`
  }`
}
