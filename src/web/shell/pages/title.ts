import { useEffect, useSyncExternalStore } from 'react'

let own: string | undefined
const listeners = new Set<() => void>()
const set = (title: string | undefined) => {
  own = title
  for (const l of listeners) l()
}

/** Returns the title of the browser tab: `Leads – Portal Acme Safety` */
export const formatBrowserTabTitle = (page: string | undefined, provider: string): string =>
  [page, `Portal ${provider}`.trim()].filter(Boolean).join(' – ')

/** Sets a more specific title than the one in the route table, such as the record's name. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    set(title)
    return () => set(undefined)
  }, [title])
}

export const useCustomPageTitle = () =>
  useSyncExternalStore(
    (l) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    () => own,
  )
