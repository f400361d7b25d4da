import { Suspense } from 'react'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import type { LeadFilesOwner } from './files.web.tsx'

const Files = lazyComponent(() => import('./files.web.tsx'))

export const LazyLeadFiles = (owner: LeadFilesOwner) => (
  <Suspense fallback={<LoadingRows rows={2} height={64} />}>
    <Files {...owner} />
  </Suspense>
)
