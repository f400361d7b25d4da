import { useQuery } from '@tanstack/react-query'
import { type DocumentTypeParts, documentTypeParts, type LazyDocumentType } from '../types/kind.web.ts'

/** Loads the parts of another document type when needed. */
export function useDocumentTypeParts(
  parts: DocumentTypeParts,
  kind: string | undefined,
  wanted = true,
): DocumentTypeParts | undefined {
  const info = kind !== parts.kind.kind ? parts.all.find((one) => one.kind === kind) : undefined
  const found = useQuery({
    queryKey: ['parts of documents', info?.kind],
    queryFn: async () => documentTypeParts((await (info as LazyDocumentType).load()).default, parts.all),
    enabled: wanted && info !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return info ? found.data : parts
}
