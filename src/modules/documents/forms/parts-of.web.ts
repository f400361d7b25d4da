import { useQuery } from '@tanstack/react-query'
import { documentTypeParts, type KindParts, type LazyKind } from '../types/kind.web.ts'

/** Loads the parts of another document type when needed. */
export function useDocumentTypeParts(parts: KindParts, kind: string | undefined, wanted = true): KindParts | undefined {
  const info = kind !== parts.kind.kind ? parts.all.find((one) => one.kind === kind) : undefined
  const found = useQuery({
    queryKey: ['parts of documents', info?.kind],
    queryFn: async () => documentTypeParts((await (info as LazyKind).load()).default, parts.all),
    enabled: wanted && info !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return info ? found.data : parts
}
