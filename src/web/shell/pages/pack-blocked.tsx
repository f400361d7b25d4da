import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { call } from '../../api/client.ts'
import { actorOf, type Me, session } from '../../api/session.ts'
import { AccessBlocked } from './access-blocked.tsx'
import { usePage } from './known-pages.ts'
import { isBlocked } from './packs.ts'

/** A page whose pack the client has not: it may have bought it since, which is asked before it is said. */
export function PackBlocked() {
  const page = usePage()
  const { revalidate } = useRevalidator()
  const asked = useQuery({
    queryKey: ['/api/security/user_check', 'pack'],
    queryFn: ({ signal }) => call<Me>('GET', '/api/security/user_check', undefined, { signal }),
    gcTime: 0,
    retry: false,
  })
  const me = asked.data
  const open = me !== undefined && page !== undefined && !isBlocked(page, actorOf(me))
  useEffect(() => {
    if (me) session.update(me)
    if (open) void revalidate()
  }, [me, open, revalidate])
  return <AccessBlocked checking={asked.isPending || open} blocked />
}
