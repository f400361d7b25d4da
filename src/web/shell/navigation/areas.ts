import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocation } from 'react-router'
import { type Collection, callApi } from '../../api/client.ts'
import { useActor } from '../../api/me.ts'
import { usePage, usePages } from '../pages/known-pages.ts'
import { type ApiScreen, areasFor, findAreaAt, findScreenAt } from './navigation.ts'

/** Loads the navigation rail for the signed-in user, and reloads it when another user signs in. */
export function useAreas() {
  const pages = usePages()
  const actor = useActor()
  const { pathname } = useLocation()
  const under = usePage()?.under
  const served = useQuery({
    queryKey: ['/api/portal/navigations', actor.clientId, actor.userId],
    queryFn: ({ signal }) => callApi<Collection<ApiScreen>>('GET', '/api/portal/navigations', undefined, { signal }),
    staleTime: 5 * 60_000,
  }).data?.['hydra:member']
  const areas = useMemo(() => areasFor(pages, actor, served), [pages, actor, served])
  const at = findScreenAt(areas, pathname, under)
  return { areas, here: at?.screen, tab: at?.tab, area: findAreaAt(areas, pathname, under) }
}
