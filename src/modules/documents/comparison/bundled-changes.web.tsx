import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { iriOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import type { RecordForm } from '../forms/record-form.ts'
import { useRecordForm } from '../forms/record-form.web.ts'
import { useDocumentTypeComponents } from '../forms/type-parts.web.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { type DocumentRecord, useDocumentRecord } from '../types/record.web.ts'
import { type ReferredDocument, referencedTitle, referencesIn } from '../types/reference.ts'
import { RevisionChanges } from './changes.web.tsx'
import css from './compare.module.css'
import { compareRevisionsByForm } from './differences.ts'

/** Loads the revision that the viewer signed, and the changes since then. */
export function useChangesSinceSigned(parts: DocumentTypeComponents, record: DocumentRecord | undefined) {
  const { kind } = parts
  const signed = useQuery({
    queryKey: [kind.resource.url, 'signed', record?.id],
    queryFn: ({ signal }) =>
      callApi<DocumentRecord & { readonly writtenBy: RecordForm }>(
        'GET',
        `${iriOf(kind.resource, record?.id ?? 0)}/signed`,
        undefined,
        { signal },
      ),
    enabled: record !== undefined,
  })
  const form = useRecordForm(kind, record?.id)
  const found = useMemo(
    () =>
      signed.data &&
      form.data &&
      record &&
      compareRevisionsByForm(parts, { record: signed.data, form: signed.data.writtenBy }, { record, form: form.data }),
    [parts, signed.data, record, form.data],
  )
  return { found, signed: signed.data, isError: signed.isError || form.isError }
}

type Stored = Pick<DocumentRecord, 'id'>

export function useRevisionDifferences(parts: DocumentTypeComponents, before: Stored, after: Stored) {
  const { kind } = parts
  const [old, now] = [useDocumentRecord(kind, String(before.id)), useDocumentRecord(kind, String(after.id))]
  const [oldForm, nowForm] = [useRecordForm(kind, before.id), useRecordForm(kind, after.id)]
  const found = useMemo(() => {
    if (!old.record || !now.record || !oldForm.data || !nowForm.data) return undefined
    return compareRevisionsByForm(
      parts,
      { record: old.record, form: oldForm.data },
      { record: now.record, form: nowForm.data },
    )
  }, [parts, old.record, now.record, oldForm.data, nowForm.data])
  const all = [old, now, oldForm, nowForm]
  return {
    found,
    whole: old.record && now.record ? { before: old.record, after: now.record } : undefined,
    error: all.find((one) => one.error)?.error,
    refetch: () => void Promise.all(all.map((one) => one.refetch())),
  }
}

/** A bundled document whose own revision changed between two revisions of the bundle. */
interface ReplacedBundledDocument {
  readonly before: ReferredDocument
  readonly after: ReferredDocument
}

type Values = Readonly<Record<string, unknown>>

const papersIn = (kind: Pick<DocumentKind, 'references'>, record: Values) =>
  referencesIn(kind.references, record).flatMap(({ rows }) => rows.flatMap(({ target }) => target ?? []))

const replacedBundledDocuments = (
  kind: Pick<DocumentKind, 'references'>,
  before: Values,
  after: Values,
): ReplacedBundledDocument[] =>
  papersIn(kind, after).flatMap((now) => {
    const old = papersIn(kind, before).find((p) => p.kind === now.kind && p.documentNumber === now.documentNumber)
    return old && old.id !== now.id ? { before: old, after: now } : []
  })

interface Props {
  readonly parts: DocumentTypeComponents
  readonly before: DocumentRecord
  readonly after: DocumentRecord
  /**
   * True to compare each bundled document with the revision that the viewer signed, because the viewer might not have
   * access to other revisions.
   */
  readonly signed?: boolean
}

/**
 * Changes in bundled documents that have a new revision, as far as the viewer may read them. Renders nothing if there
 * are no such changes.
 */
export function BundledDocumentChanges({ parts, before, after, signed = false }: Props) {
  if (!parts.kind.byPaper) return null
  const replaced = replacedBundledDocuments(parts.kind, before, after).filter((p) => p.after.title !== null)
  return replaced.map((one) => <Paper key={one.after.id} parts={parts} paper={one} signed={signed} />)
}

function Paper({
  parts,
  paper,
  signed,
}: {
  readonly parts: DocumentTypeComponents
  readonly paper: ReplacedBundledDocument
  readonly signed: boolean
}) {
  const { before, after } = paper
  const [opened, setOpened] = useState(false)
  const own = useDocumentTypeComponents(parts, after.kind, opened)
  const Compared = signed ? SinceSigned : Between
  return (
    <details className={css.paper} onToggle={(e) => setOpened(e.currentTarget.open)}>
      <summary>{`Changes in ${after.documentNumber}, ${referencedTitle(after)}`}</summary>
      {opened && (own ? <Compared parts={own} before={before} after={after} /> : <LoadingRows rows={3} />)}
    </details>
  )
}

type Sides = ReplacedBundledDocument & { readonly parts: DocumentTypeComponents }

function Between({ parts, before, after }: Sides) {
  const { found, error, refetch } = useRevisionDifferences(parts, before, after)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!found) return <LoadingRows rows={3} />
  return <Found found={found} sides={[before.revision, after.revision]} />
}

function SinceSigned({ parts, after }: Sides) {
  const { record, error } = useDocumentRecord(parts.kind, String(after.id))
  const since = useChangesSinceSigned(parts, record)
  if (error || since.isError)
    return <Text>The changes since you signed can’t be shown. Please read the whole document.</Text>
  if (!since.found || !since.signed) return <LoadingRows rows={3} />
  return <Found found={since.found} sides={[since.signed.revision, after.revision]} />
}

function Found({
  found,
  sides: [before, after],
}: {
  readonly found: Parameters<typeof RevisionChanges>[0]['found']
  readonly sides: readonly [number, number]
}) {
  if (!found.length) return <Text>{`No differences from revision ${before}.`}</Text>
  return <RevisionChanges sides={[`Revision ${before}`, `Revision ${after}`]} found={found} />
}
