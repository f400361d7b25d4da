import { IconLink } from '@tabler/icons-react'
import type { Resource } from '#kernel/resource.ts'
import { useList } from '#web/api/resources.ts'
import { Moment } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState } from '#web/ui/states.tsx'
import { document, seal } from '../kinds/document.ts'
import type { DocumentRecord } from '../kinds/record.web.ts'
import css from './chain.module.css'

const EVENTS: Readonly<Record<string, string>> = {
  completed: 'Sealed',
  approved: 'Approved',
  rejected: 'Rejected',
  replaced: 'Replaced by the next revision',
  'review moved': 'Review date moved',
  withdrawn: 'Withdrawn',
  adopted: 'Sealed anew as it stood',
  retired: 'Deleted',
  restored: 'Restored',
  signed: 'Signed',
  printed: 'Print kept',
  closed: 'Closed',
  'signed late': 'Signed late',
}

interface About {
  readonly of: Pick<Resource, 'type'>
  readonly id: number
}

/** What has happened to this revision, each a link in the company's chain: nothing of it can be changed without breaking it. */
export const Seals = ({ record }: { readonly record: DocumentRecord }) => <Chain of={document} id={record.id} />

/** What has happened to any record that is evidence, the last of it first. */
export function Chain({ of, id }: About) {
  const list = useList(seal, { subjectType: of.type, subjectId: id, itemsPerPage: 100 })
  const links = list.data?.['hydra:member']
  const total = list.data?.['hydra:totalItems'] ?? 0
  if (links?.length === 0) return null
  return (
    <section className={page.card} aria-labelledby="seals">
      <h2 id="seals">Chain of evidence</h2>
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      <ol className={css.chain}>
        {links?.map((l) => (
          <li key={l.id}>
            <IconLink size={16} aria-hidden />
            <span>
              {EVENTS[l.event ?? ''] ?? l.event} <Moment at={l.createdAt} /> by {l.author}
            </span>
            <code title={l.hash ?? ''}>{`link ${l.place}, fingerprint ${(l.digest ?? '').slice(0, 12)}…`}</code>
          </li>
        ))}
      </ol>
      {links && total > links.length && <p className={page.quiet}>{`And ${total - links.length} before these.`}</p>}
    </section>
  )
}
