import { useQueryClient } from '@tanstack/react-query'
import type { DocumentKind } from '../types/kind.ts'
import { useRefresh } from '../types/record.web.ts'
import { signOff, signOffPerson } from './sign-off.ts'

/** Everything that is shown of a document and of who is to sign it, read again after one of both was changed. */
export function useRefreshSigned(kind: DocumentKind) {
  const queries = useQueryClient()
  const refresh = useRefresh(kind)
  return () =>
    Promise.all([refresh(), ...[signOff, signOffPerson].map((r) => queries.invalidateQueries({ queryKey: [r.url] }))])
}
