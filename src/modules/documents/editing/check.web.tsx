import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { iriOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { recordAt } from '#web/forms/schema/record.ts'
import { answersBy } from '../forms/record-form.ts'
import { usePartsIn, useRecordForm } from '../forms/record-form.web.ts'
import type { ScreenProps } from '../types/kind.web.ts'
import { useMissing } from '../types/missing.web.ts'
import { type DocumentRecord, mayOf, useRevisions } from '../types/record.web.ts'
import { CheckForm } from './check-form.web.tsx'
import { NotOpened } from './not-opened.web.tsx'

/** Final check of a draft before it is sealed. Other records open for reading instead. */
export default function Check({ parts }: ScreenProps) {
  const { kind } = parts
  const { slug = '' } = useParams()
  const actor = useActor()
  const iri = iriOf(kind.resource, slug)
  // As stored, regardless of what a previous form holds in memory.
  const opened = useQuery({ queryKey: ['checking', iri], queryFn: () => recordAt(iri).load(), gcTime: 0 })
  const form = useRecordForm(kind, slug)
  const own = usePartsIn(parts, form.data)
  const revisions = useRevisions(kind, opened.data?.record as DocumentRecord | undefined)
  useMissing(parts, slug, opened.error)
  if (!opened.data || !form.data || !own || revisions.isLoading)
    return <NotOpened title="Check before completing" readings={[opened, form]} />
  const record = opened.data.record as DocumentRecord
  if (!mayOf(kind, actor, record).write) return <Navigate to={`${kind.screens.list}/view/${record.id}`} replace />
  return (
    <CheckForm
      parts={own}
      usual={kind.schema}
      record={answersBy(form.data, record)}
      etag={opened.data.etag}
      onChanged={() => void opened.refetch()}
    />
  )
}
