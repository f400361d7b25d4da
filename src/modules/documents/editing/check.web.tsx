import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { iriOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { recordEndpoint } from '#web/forms/schema/record.ts'
import { recordValuesByForm } from '../forms/record-form.ts'
import { useComponentsWithForm, useRecordForm } from '../forms/record-form.web.ts'
import type { DocumentScreenProps } from '../types/kind.web.ts'
import { type DocumentRecord, documentPermissions, useRevisions } from '../types/record.web.ts'
import { useMissingDocumentRedirect } from '../types/use-missing-document.web.ts'
import { CompletionCheckForm } from './check-form.web.tsx'
import { DraftLoadingState } from './draft-not-loaded.web.tsx'

/** Final check of a draft before it is sealed. Records that the user can't edit open read-only instead. */
export default function CompletionCheckPage({ parts }: DocumentScreenProps) {
  const { kind } = parts
  const { slug = '' } = useParams()
  const actor = useActor()
  const iri = iriOf(kind.resource, slug)
  // Loads the stored record, bypassing values that an open form has cached.
  const opened = useQuery({ queryKey: ['checking', iri], queryFn: () => recordEndpoint(iri).load(), gcTime: 0 })
  const form = useRecordForm(kind, slug)
  const own = useComponentsWithForm(parts, form.data)
  const revisions = useRevisions(kind, opened.data?.record as DocumentRecord | undefined)
  useMissingDocumentRedirect(parts, slug, opened.error)
  if (!opened.data || !form.data || !own || revisions.isLoading)
    return <DraftLoadingState title="Check before completing" readings={[opened, form]} />
  const record = opened.data.record as DocumentRecord
  if (!documentPermissions(kind, actor, record).write)
    return <Navigate to={`${kind.screens.list}/view/${record.id}`} replace />
  return (
    <CompletionCheckForm
      parts={own}
      usual={kind.schema}
      record={recordValuesByForm(form.data, record)}
      etag={opened.data.etag}
      onChanged={() => void opened.refetch()}
    />
  )
}
