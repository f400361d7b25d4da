import { useActor } from '#web/api/me.ts'
import { Relative } from '#web/dates/relative.tsx'
import { joinMoment, londonToday } from '#web/dates/uk-dates.ts'
import { type DocumentRow, documentWork, type KindScreens, listsOf, placeOf } from './document-work.web.ts'
import { type Waiting, WaitingParts, WaitingRow } from './waiting.web.tsx'

/** The controlled documents that wait for this person: to be approved, signed, reviewed or finished. */
export function DocumentParts({ kinds }: { readonly kinds: readonly KindScreens[] }) {
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
          title={d.title || `Untitled ${kinds.find((k) => k.kind.kind === d.kind)?.kind.noun ?? 'document'}`}
          detail={detailOf(d)}
        >
          {name === 'review' && <Relative at={d.reviewDue && joinMoment(d.reviewDue, '23:59')} due />}
          {(name === 'approve' || name === 'finish') && <Relative at={d.updatedAt} />}
        </WaitingRow>
      ),
    }),
  )
  return <WaitingParts lists={lists} />
}

const detailOf = (d: DocumentRow) =>
  `${d.documentNumber} revision ${d.revision}${
    d.state === 'rejected'
      ? `, rejected: “${d.decisionNote || 'no reason was given'}”`
      : d.state === 'draft'
        ? ', being written'
        : `, by ${d.author ?? 'somebody'}`
  }`
