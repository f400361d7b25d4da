import { Suspense } from 'react'
import { lazily } from '#web/ui/lazily.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import type { Owner } from './files.web.tsx'

const Files = lazily(() => import('./files.web.tsx'))

export const LaterFiles = (owner: Owner) => (
  <Suspense fallback={<LoadingRows rows={2} height={64} />}>
    <Files {...owner} />
  </Suspense>
)
