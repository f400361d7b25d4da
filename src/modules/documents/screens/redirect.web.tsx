import { Navigate, useParams } from 'react-router'
import { useApiRecord } from '#web/api/resources.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { document } from '../types/document.ts'
import type { DocumentTypeInfo } from '../types/type-info.ts'
import { documentPath } from '../types/type-info.ts'

/** Opens a document whose type is not known, such as one that a log names by its ID. */
export function DocumentRedirect({ kinds }: { readonly kinds: readonly DocumentTypeInfo[] }) {
  const { id } = useParams()
  const { data, error, refetch } = useApiRecord(document, id)
  if (data) return <Navigate to={documentPath(kinds, data)} replace />
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={8} />
}
