import { lazy, Suspense } from 'react'
import { LoadingRows } from '#web/ui/states.tsx'
import type { Owner } from './files.web.tsx'

const Files = lazy(() => import('./files.web.tsx'))

export const LaterFiles = (owner: Owner) => (
  <Suspense fallback={<LoadingRows rows={2} height={64} />}>
    <Files {...owner} />
  </Suspense>
)
