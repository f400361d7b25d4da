import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { useList } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import { LoadingRows, SectionError } from '#web/ui/states.tsx'
import { DocumentChips } from '../types/chips.web.tsx'
import { document } from '../types/document.ts'
import type { DocumentTypeComponents, LazyDocumentType } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import type { DocumentTypeInfo } from '../types/type-info.ts'
import css from './references.module.css'

/** Loads the visible documents that refer to the record at a URL. */
const useUsers = (at: string) => useList({ ...document, url: `${at}/where_used` })

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
}

/** Documents that refer to this revision. Renders nothing if there are none. */
export function WhereUsedSection({ parts, record }: Props) {
  const list = useUsers(`${document.url}/${record.id}`)
  if (!list.data?.['hydra:member'].length) return null
  return (
    <section className={page.card} aria-labelledby="where-used">
      <h2 id="where-used">Where used</h2>
      <Users found={list.data} kinds={parts.all} />
    </section>
  )
}

interface FileProps {
  readonly id: number
  readonly kinds: readonly LazyDocumentType[]
}

/** Documents that refer to any version of a file, or a message if there are none. */
export function FileUsesSection({ id, kinds }: FileProps) {
  const list = useUsers(`${uploadedDocument.url}/${id}`)
  return (
    <section className={page.card} aria-labelledby="where-used">
      <h2 id="where-used">Where used</h2>
      {list.error ? (
        <SectionError error={list.error} onRetry={list.refetch} />
      ) : !list.data ? (
        <LoadingRows rows={1} />
      ) : list.data['hydra:member'].length ? (
        <>
          <Users found={list.data} kinds={kinds} />
          <p className={page.quiet}>Documents keep the version of the file they were written with.</p>
        </>
      ) : (
        <p className={page.quiet}>No documents that you can see use this file.</p>
      )}
    </section>
  )
}

interface UsersProps {
  readonly found: NonNullable<ReturnType<typeof useUsers>['data']>
  readonly kinds: readonly LazyDocumentType[]
}

function Users({ found, kinds }: UsersProps) {
  const users = found['hydra:member']
  const more = (found['hydra:totalItems'] ?? users.length) - users.length
  return (
    <>
      <ul className={css.used}>
        {users.map((d) => (
          <li key={d.id}>
            <Used d={d} screens={kinds.find((k) => k.kind === d.kind)?.screens} />
            <span>{d.title}</span>
            <DocumentChips
              record={{ state: d.state as DocumentRecord['state'], retired: d.retired, isTemplate: false }}
            />
          </li>
        ))}
      </ul>
      {more > 0 && <p className={page.quiet}>{`And ${more} more.`}</p>}
    </>
  )
}

interface UsedProps {
  readonly d: { readonly id: number; readonly documentNumber: string; readonly revision: number }
  readonly screens: DocumentTypeInfo['screens'] | undefined
}

/** Link to a document's page, or plain text if the document has no page. */
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
