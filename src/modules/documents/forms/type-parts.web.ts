import { useQuery } from '@tanstack/react-query'
import { buildDocumentTypeComponents, type DocumentTypeComponents, type LazyDocumentType } from '../types/kind.web.ts'

/**
 * Loads the components of another document type, if `wanted` is true. Returns `parts` itself if `kind` is the same type
 * or unknown.
 */
export function useDocumentTypeComponents(
  parts: DocumentTypeComponents,
  kind: string | undefined,
  wanted = true,
): DocumentTypeComponents | undefined {
  const info = kind !== parts.kind.kind ? parts.all.find((one) => one.kind === kind) : undefined
  const found = useQuery({
    queryKey: ['parts of documents', info?.kind],
    queryFn: async () => buildDocumentTypeComponents((await (info as LazyDocumentType).load()).default, parts.all),
    enabled: wanted && info !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // The components are scripts, which this device stores.
    networkMode: 'always',
  })
  return info ? found.data : parts
}
