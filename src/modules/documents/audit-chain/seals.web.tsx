import { IconLink } from '@tabler/icons-react'
import type { Resource } from '#kernel/resource.ts'
import { usePersonNames } from '#web/api/names.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState } from '#web/ui/states.tsx'
import { document, seal } from '../types/document.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import css from './chain.module.css'

export const SEAL_EVENT_LABELS: Readonly<Record<string, string>> = {
  completed: 'Sealed',
  approved: 'Approved',
  rejected: 'Rejected',
  replaced: 'Replaced by the next revision',
  'review moved': 'Review date changed',
  'audience changed': 'Readers changed',
  withdrawn: 'Withdrawn',
  retired: 'Deleted',
  restored: 'Restored',
  signed: 'Signed',
  sent: 'Sent',
  answered: 'Answered by a recipient',
  printed: 'PDF stored',
  adopted: 'Current state resealed',
  closed: 'Closed',
  'signed late': 'Signed late',
  'form published': 'Published',
  'form filled in': 'Form filled in',
  'RAMS received': 'Received',
}

/** Username that is stored as the author of automatic entries, such as stored PDFs and reseals. */
const PORTAL = 'system'

interface LinkProps {
  readonly event: string | null
  readonly at: string | null
  readonly by: string | null
}

/** Event, time and person of an entry. The portal's own entries name the portal. The exported chain names usernames. */
function Done({ event, at, by }: LinkProps) {
  const name = usePersonNames([by])(by)
  return (
    <span>
      {SEAL_EVENT_LABELS[event ?? ''] ?? event} <DateTimeText at={at} /> by {by === PORTAL ? 'the portal' : name}
    </span>
  )
}

interface About {
  readonly of: Pick<Resource, 'type'>
  readonly id: number
}

export const DocumentSeals = ({ record }: { readonly record: DocumentRecord }) => (
  <AuditChain of={document} id={record.id} />
)

/** Audit chain entries of any sealed record, latest first. Renders nothing if there are none. */
export function AuditChain({ of, id }: About) {
  const list = useList(seal, { subjectType: of.type, subjectId: id, itemsPerPage: 100 })
  const links = list.data?.['hydra:member']
  const total = list.data?.['hydra:totalItems'] ?? 0
  if (links?.length === 0) return null
  return (
    <section className={page.card} aria-labelledby="seals">
      <h2 id="seals">Audit chain</h2>
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      <ol className={css.chain}>
        {links?.map((l) => (
          <li key={l.id}>
            <IconLink size={16} aria-hidden />
            <Done event={l.event} at={l.createdAt} by={l.author} />
            <code title={l.hash ?? ''}>{`entry ${l.place}, fingerprint ${(l.digest ?? '').slice(0, 12)}…`}</code>
          </li>
        ))}
      </ol>
      {links && total > links.length && <p className={page.quiet}>{`And ${total - links.length} earlier entries.`}</p>}
    </section>
  )
}
