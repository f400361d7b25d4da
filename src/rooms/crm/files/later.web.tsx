import { lazy, Suspense } from 'react'
import { LoadingRows } from '#web/ui/states.tsx'

const FilesOfLead = lazy(() => import('./files.web.tsx'))

export const LaterFiles = ({ lead }: { readonly lead: number }) => (
  <Suspense fallback={<LoadingRows rows={2} height={64} />}>
    <FilesOfLead lead={lead} />
  </Suspense>
)
