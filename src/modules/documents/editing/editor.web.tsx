import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { unplacedAnswers } from '#kernel/forms/answers.ts'
import { iriOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { editingQueryKey, recordEndpoint } from '#web/forms/schema/record.ts'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { recordValuesByForm } from '../forms/record-form.ts'
import { useComponentsWithForm, useRecordForm } from '../forms/record-form.web.ts'
import type { DocumentScreenProps } from '../types/kind.web.ts'
import { type DocumentRecord, documentPermissions, useRevisions } from '../types/record.web.ts'
import { useMissingDocumentRedirect } from '../types/use-missing-document.web.ts'
import { DraftLoadingState } from './draft-not-loaded.web.tsx'
import { DraftEditorForm } from './editor-form.web.tsx'

/** Draft editor. Records that the user can't edit open read-only instead. */
export default function DraftEditor({ parts }: DocumentScreenProps) {
  const { kind } = parts
  const { slug = '' } = useParams()
  const actor = useActor()
  const iri = iriOf(kind.resource, slug)
  // Loaded only once, because afterwards the form has newer values and merges other users' changes itself.
  const opened = useQuery({
    queryKey: editingQueryKey(iri),
    queryFn: () => recordEndpoint(iri).load(),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  const form = useRecordForm(kind, slug)
  const own = useComponentsWithForm(parts, form.data)
  const revisions = useRevisions(kind, opened.data?.record as DocumentRecord | undefined)
  useMissingDocumentRedirect(parts, slug, opened.error)
  if (!opened.data || !form.data || !own || revisions.isLoading)
    return <DraftLoadingState title={kind.schema.title} readings={[opened, form]} />
  const record = opened.data.record as DocumentRecord
  if (!documentPermissions(kind, actor, record).write)
    return <Navigate to={`${kind.screens.list}/view/${record.id}`} replace />
  // Remounts the editor if the form version or the number of unplaced answers changes.
  const key = `${iri} ${form.data.version ?? ''} ${unplacedAnswers(record).length}`
  return (
    <DraftEditorForm
      key={key}
      parts={own}
      opened={{ ...opened.data, record: recordValuesByForm(form.data, record) }}
      form={form.data}
      usual={kind.schema}
      reopen={() => Promise.all([opened.refetch(), form.refetch()])}
      back={getListReturnPath(kind.screens.list)}
    />
  )
}
