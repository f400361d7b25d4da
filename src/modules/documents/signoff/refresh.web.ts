import { useQueryClient } from '@tanstack/react-query'
import type { DocumentKind } from '../types/kind.ts'
import { useRefetchDocument } from '../types/record.web.ts'
import { signOff, signOffPerson } from './sign-off.ts'

export function useRefetchSignatures(kind: DocumentKind) {
  const queries = useQueryClient()
  const refresh = useRefetchDocument(kind)
  return () =>
    Promise.all([refresh(), ...[signOff, signOffPerson].map((r) => queries.invalidateQueries({ queryKey: [r.url] }))])
}
