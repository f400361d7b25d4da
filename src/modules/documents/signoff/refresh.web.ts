import { useQueryClient } from '@tanstack/react-query'
import type { DocumentKind } from '../types/kind.ts'
import { useRefresh } from '../types/record.web.ts'
import { signOff, signOffPerson } from './sign-off.ts'

export function useRefreshSigned(kind: DocumentKind) {
  const queries = useQueryClient()
  const refresh = useRefresh(kind)
  return () =>
    Promise.all([refresh(), ...[signOff, signOffPerson].map((r) => queries.invalidateQueries({ queryKey: [r.url] }))])
}
