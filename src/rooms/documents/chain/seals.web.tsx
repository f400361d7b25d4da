import { IconLink } from '@tabler/icons-react'
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
}

/** What has happened to this revision, each a link in the company's chain: nothing of it can be changed without breaking it. */
export function Seals({ record }: { readonly record: DocumentRecord }) {
  const list = useList(seal, { document: `${document.url}/${record.id}`, itemsPerPage: 100 })
  const links = list.data?.['hydra:member']
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
    </section>
  )
}
