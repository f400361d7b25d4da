import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '#web/api/client.ts'
import { toast } from '#web/ui/toast.ts'
import type { DocumentTypeComponents } from './kind.web.ts'

/** Redirects to the list, with the type's message, if a document does not exist (safety specification, section 8). */
export function useMissingDocumentRedirect(
  { kind, missing }: DocumentTypeComponents,
  slug: string | undefined,
  error: unknown,
) {
  const navigate = useNavigate()
  const gone = error instanceof ApiError && error.status === 404 && slug !== undefined && missing
  const says = gone ? missing(slug) : undefined
  useEffect(() => {
    if (!says) return
    toast.info(says, 'stop')
    void navigate(kind.screens.list, { replace: true })
  }, [says, navigate, kind.screens.list])
}
