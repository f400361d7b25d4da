import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { unplacedIn } from '#kernel/forms/take-over.ts'
import { iriOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { editingKey, recordAt } from '#web/forms/schema/record.ts'
import { listReturnPath } from '#web/lists/pager/list-position.ts'
import { answersBy } from '../forms/record-form.ts'
import { usePartsIn, useRecordForm } from '../forms/record-form.web.ts'
import type { ScreenProps } from '../types/kind.web.ts'
import { useMissing } from '../types/missing.web.ts'
import { type DocumentRecord, mayOf, useRevisions } from '../types/record.web.ts'
import { EditorForm } from './editor-form.web.tsx'
import { NotOpened } from './not-opened.web.tsx'

/** Draft editor. Records that aren't the user's own draft open for reading instead. */
export default function Editor({ parts }: ScreenProps) {
  const { kind } = parts
  const { slug = '' } = useParams()
  const actor = useActor()
  const iri = iriOf(kind.resource, slug)
  // Loaded once: after that the form is ahead of it and merges other users' changes.
  const opened = useQuery({
    queryKey: editingKey(iri),
    queryFn: () => recordAt(iri).load(),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  const form = useRecordForm(kind, slug)
  const own = usePartsIn(parts, form.data)
  const revisions = useRevisions(kind, opened.data?.record as DocumentRecord | undefined)
  useMissing(parts, slug, opened.error)
  if (!opened.data || !form.data || !own || revisions.isLoading)
    return <NotOpened title={kind.schema.title} readings={[opened, form]} />
  const record = opened.data.record as DocumentRecord
  if (!mayOf(kind, actor, record).write) return <Navigate to={`${kind.screens.list}/view/${record.id}`} replace />
  // A different form or different unplaced answers remount the editor.
  const key = `${iri} ${form.data.version ?? ''} ${unplacedIn(record).length}`
  return (
    <EditorForm
      key={key}
      parts={own}
      opened={{ ...opened.data, record: answersBy(form.data, record) }}
      form={form.data}
      usual={kind.schema}
      reopen={() => Promise.all([opened.refetch(), form.refetch()])}
      back={listReturnPath(kind.screens.list)}
    />
  )
}
