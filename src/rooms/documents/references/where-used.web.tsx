import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useList } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import { DocumentChips } from '../kinds/chips.web.tsx'
import { document } from '../kinds/document.ts'
import type { DocumentKind } from '../kinds/kind.ts'
import type { DocumentRecord } from '../kinds/record.web.ts'
import css from './references.module.css'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/** The documents that refer to this revision; nothing where none does. */
export function WhereUsed({ kind, record }: Props) {
  const list = useList({ ...document, url: `${document.url}/${record.id}/where_used` })
  const users = list.data?.['hydra:member'] ?? []
  if (!users.length) return null
  const more = (list.data?.['hydra:totalItems'] ?? users.length) - users.length
  return (
    <section className={page.card} aria-labelledby="where-used">
      <h2 id="where-used">Where it is used</h2>
      <ul className={css.used}>
        {users.map((d) => (
          <li key={d.id}>
            {d.kind === kind.kind ? (
              <Anchor component={Link} to={`${kind.screens.list}/view/${d.id}`}>
                {`${d.documentNumber}, revision ${d.revision}`}
              </Anchor>
            ) : (
              <strong>{`${d.documentNumber}, revision ${d.revision}`}</strong>
            )}
            <span>{d.title}</span>
            <DocumentChips
              record={{ state: d.state as DocumentRecord['state'], retired: d.retired, isTemplate: false }}
            />
          </li>
        ))}
      </ul>
      {more > 0 && <p className={page.quiet}>{`And ${more} more.`}</p>}
    </section>
  )
}
