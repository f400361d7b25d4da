import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { iriOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { recordAt } from '#web/forms/schema/record.ts'
import { backTo } from '#web/lists/places.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import type { ScreenProps } from '../kinds/kind.web.ts'
import { useMissing } from '../kinds/missing.web.ts'
import { type DocumentRecord, mayOf } from '../kinds/record.web.ts'
import { EditorForm } from './editor-form.web.tsx'

/** Where a draft is written. What is no draft, or not one's own, is read instead. */
export default function Editor({ parts }: ScreenProps) {
  const { kind } = parts
  const { slug = '' } = useParams()
  const actor = useActor()
  const iri = iriOf(kind.resource, slug)
  // Read once: from then on the form knows better, and merges what others save.
  const opened = useQuery({
    queryKey: ['editing', iri],
    queryFn: () => recordAt(iri).load(),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  useMissing(parts, slug, opened.error)
  if (!opened.data)
    return (
      <Page title={kind.schema.title}>
        {opened.isError ? (
          <ErrorState error={opened.error} onRetry={() => void opened.refetch()} />
        ) : (
          <LoadingRows rows={10} />
        )}
      </Page>
    )
  const record = opened.data.record as DocumentRecord
  if (!mayOf(kind, actor, record).write) return <Navigate to={`${kind.screens.list}/view/${record.id}`} replace />
  return <EditorForm key={iri} parts={parts} opened={{ ...opened.data, record }} back={backTo(kind.screens.list)} />
}
