import { Skeleton } from '@mantine/core'
import { memo, Suspense } from 'react'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { toText } from '#kernel/text.ts'
import { useMe } from '#web/api/me.ts'
import { type OptionalUsername, usePersonNames } from '#web/api/names.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { LazyComponentPlaceholder } from '#web/ui/reveal-together.tsx'
import { additionalAnswers } from '../forms/additional-answers.ts'
import { changedLabels } from '../forms/labels.ts'
import used from '../references/references.module.css'
import { DocumentChips } from '../types/chips.web.tsx'
import { needsApproval } from '../types/in-force.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import {
  clientIdOf,
  type DocumentRecord,
  displayedDocumentNumber,
  documentTitleOrUntitled,
} from '../types/record.web.ts'
import { referencedTitle, referencesIn } from '../types/reference.ts'
import { formatDocumentValue } from '../types/value-text.ts'
import css from './paper.module.css'
import { FormAnswers } from './schema-body.web.tsx'

/** Answers to additional fields that the type's own component does not show. */
const AdditionalAnswers = ({ schema, record }: { readonly schema: FormSchema; readonly record: Values }) =>
  additionalAnswers(schema, { ...record, additional: record }).map(({ title, fields }) => (
    <section key={title}>
      <h2>{title}</h2>
      <dl className={css.facts}>
        {fields.map(({ field, value }) => (
          <div key={field.name} data-wide={(field.width ?? 12) > 6 || undefined}>
            <dt>{field.label}</dt>
            <dd>
              {field.kind === 'richText' ? <RichTextView html={String(value)} /> : formatDocumentValue(field, value)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ))

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: Values & Partial<DocumentRecord>
  /**
   * Declared form, passed if `parts` contains the record's own form. Labels that differ from the declared ones are
   * marked.
   */
  readonly usual?: FormSchema
  /** True if the page already shows the document's title. */
  readonly bare?: boolean
}

/** A document displayed like the printed sheet. */
export const DocumentSheet = memo(function Paper(props: Props) {
  const { record } = props
  const me = useMe()
  const nameOf = usePersonNames([record.author, record.authorUsername], clientIdOf(record))
  const own = clientIdOf(record) === me.client.id || clientIdOf(record) === undefined
  return <Sheet {...props} company={own ? me.client.company : ''} clientId={me.client.id} nameOf={nameOf} />
})

interface SharedProps extends Props {
  readonly company: string
}

/** A document as read by link, without an account. The record contains the names of its author and approver. */
export const SharedDocumentSheet = memo(function Paper(props: SharedProps) {
  return <Sheet {...props} clientId={UNKNOWN_CLIENT_ID} nameOf={(name) => name ?? ''} />
})

const UNKNOWN_CLIENT_ID = -1

interface SheetProps extends SharedProps {
  readonly clientId: number
  readonly nameOf: (username: OptionalUsername) => string
}

function Sheet({ parts, record, usual, bare = false, company, clientId, nameOf }: SheetProps) {
  const { kind, Body } = parts
  return (
    <article className={css.sheet} data-bare={bare || undefined}>
      {!bare && (
        <header className={css.head}>
          <div>
            <p className={css.company}>{company}</p>
            <p className={css.kind}>{kind.schema.title}</p>
          </div>
          <div className={css.number}>
            {record.documentNumber && <strong>{displayedDocumentNumber({ clientId }, record)}</strong>}
            {record.revision && <span>{`Revision ${record.revision}`}</span>}
            {record.state && <DocumentChips record={record as DocumentRecord} />}
          </div>
          <p className={css.title}>{documentTitleOrUntitled(kind, record)}</p>
        </header>
      )}
      <div className={css.body}>
        {Body ? (
          <Suspense fallback={<Coming />}>
            <AdditionalAnswers schema={kind.schema} record={record} />
            <Body record={record} labels={usual ? changedLabels(usual, kind.schema) : {}} />
          </Suspense>
        ) : (
          <FormAnswers schema={kind.schema} record={record} title={kind.title.field} />
        )}
        <PrintedReferenceLists kind={kind} record={record} />
      </div>
      {!bare && (
        <footer className={css.foot}>
          {toText(record.copiedFrom) && <span>{`Based on ${toText(record.copiedFrom)}`}</span>}
          {record.author && <span>{`Written by ${nameOf(record.author)}`}</span>}
          <span>
            {!needsApproval(kind)
              ? record.completedAt && `In force from ${formatIsoAsUkDateTime(record.completedAt)}`
              : record.approvedAt
                ? `Approved by ${nameOf(record.authorUsername)}, ${formatIsoAsUkDateTime(record.approvedAt)}`
                : 'Not approved yet'}
          </span>
          {record.reviewDue && record.current && <span>{`Review by ${formatIsoAsUkDate(record.reviewDue)}`}</span>}
        </footer>
      )}
    </article>
  )
}

/** Placeholder while the type's content loads. */
const Coming = () => (
  <>
    <LazyComponentPlaceholder />
    <Skeleton height={240} />
  </>
)

interface ListProps {
  readonly kind: DocumentKind
  readonly record: Readonly<Record<string, unknown>>
}

const PrintedReferenceLists = ({ kind, record }: ListProps) =>
  referencesIn(kind.references, record)
    .filter(({ rows }) => rows.length > 0)
    .map(({ field, label, rows }) => (
      <section key={field}>
        <h2>{label}</h2>
        <ol className={used.used}>
          {rows.map(({ target, file, notes, digest }, i) => {
            const sealed = digest ?? target?.seal ?? file?.checksum
            const day = (target?.completedAt ?? file?.createdAt)?.slice(0, 10)
            return (
              <li key={target?.['@id'] ?? file?.['@id'] ?? i}>
                <strong>{target ? `${target.documentNumber}, revision ${target.revision}` : 'File'}</strong>
                <span>{target ? referencedTitle(target) : file?.name}</span>
                {sealed && <code>{sealed.slice(0, 8)}</code>}
                {day && <span>{formatIsoAsUkDate(day)}</span>}
                {notes && <span>{notes}</span>}
              </li>
            )
          })}
        </ol>
      </section>
    ))
