import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { oneOptions } from '#web/api/resources.ts'
import { lazily } from '#web/ui/lazily.tsx'
import { AwaitedPart } from '#web/ui/reveal-together.tsx'
import type { KindParts } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'

const WhatChanges = lazily(() => import('./what-changes.web.tsx'))

interface Props {
  readonly parts: KindParts
  readonly before: DocumentRecord
  readonly after: DocumentRecord
  /** What is said where nothing has changed. */
  readonly same?: string
}

/** What a draft changes of an earlier revision, as it is stored now: the editor saves beside what pages know of the draft. */
export function WhatChangesNow(props: Props) {
  const queries = useQueryClient()
  const { resource } = props.parts.kind
  const { id } = props.after
  useEffect(() => void queries.invalidateQueries(oneOptions(resource, String(id))), [queries, resource, id])
  return (
    <Suspense fallback={<AwaitedPart />}>
      <WhatChanges {...props} />
    </Suspense>
  )
}
