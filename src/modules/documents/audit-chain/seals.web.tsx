import { IconLink } from '@tabler/icons-react'
import type { Resource } from '#kernel/resource.ts'
import { useNames } from '#web/api/names.ts'
import { useList } from '#web/api/resources.ts'
import { Moment } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState } from '#web/ui/states.tsx'
import { document, seal } from '../types/document.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import css from './chain.module.css'
import { EVENT_WORDS } from './event-words.ts'

/** Who is named by links of what nobody did: prints that were kept, what was sealed anew. */
const PORTAL = 'system'

interface LinkProps {
  readonly event: string | null
  readonly at: string | null
  readonly by: string | null
}

/** What was done, when and by whom: the link holds the username, so that stands beside the name. */
function Done({ event, at, by }: LinkProps) {
  const name = useNames([by])(by)
  return (
    <span>
      {EVENT_WORDS[event ?? ''] ?? event} <Moment at={at} /> by {by === PORTAL ? 'the portal' : name}
      {name !== by && ` (${by})`}
    </span>
  )
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
            <Done event={l.event} at={l.createdAt} by={l.author} />
            <code title={l.hash ?? ''}>{`link ${l.place}, fingerprint ${(l.digest ?? '').slice(0, 12)}…`}</code>
          </li>
        ))}
      </ol>
      {links && total > links.length && <p className={page.quiet}>{`And ${total - links.length} before these.`}</p>}
    </section>
  )
}
