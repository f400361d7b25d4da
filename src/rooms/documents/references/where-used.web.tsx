import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useList } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import { DocumentChips } from '../kinds/chips.web.tsx'
import { document } from '../kinds/document.ts'
import type { KindParts } from '../kinds/kind.web.ts'
import type { KindFace } from '../kinds/kind-face.ts'
import type { DocumentRecord } from '../kinds/record.web.ts'
import css from './references.module.css'

interface Props {
  readonly parts: KindParts
  readonly record: DocumentRecord
}

/** The documents that refer to this revision; nothing where none does. */
export function WhereUsed({ parts, record }: Props) {
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
            <Used d={d} screens={parts.all.find((k) => k.kind === d.kind)?.screens} />
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

interface UsedProps {
  readonly d: { readonly id: number; readonly documentNumber: string; readonly revision: number }
  readonly screens: KindFace['screens'] | undefined
}

/** The way to it, where there is a screen for it. */
function Used({ d, screens }: UsedProps) {
  const called = `${d.documentNumber}, revision ${d.revision}`
  return screens ? (
    <Anchor component={Link} to={`${screens.list}/view/${d.id}`}>
      {called}
    </Anchor>
  ) : (
    <strong>{called}</strong>
  )
}
