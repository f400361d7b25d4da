import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { recordQueryOptions } from '#web/api/resources.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { LazyComponentPlaceholder } from '#web/ui/reveal-together.tsx'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'

const WhatChanges = lazyComponent(() => import('./revision-changes.web.tsx'))

interface Props {
  readonly parts: DocumentTypeComponents
  readonly before: DocumentRecord
  readonly after: DocumentRecord
  readonly same?: string
}

/**
 * Changes in a stored draft since an earlier revision. Refetches the draft, because the editor saves without updating
 * the query cache.
 */
export function DraftChanges(props: Props) {
  const queries = useQueryClient()
  const { resource } = props.parts.kind
  const { id } = props.after
  useEffect(() => void queries.invalidateQueries(recordQueryOptions(resource, String(id))), [queries, resource, id])
  return (
    <Suspense fallback={<LazyComponentPlaceholder />}>
      <WhatChanges {...props} />
    </Suspense>
  )
}
