import { useContext, useEffect } from 'react'
import { matchPath } from 'react-router'
import { ModulesContext } from './manifest/module.ts'
import type { Page } from './manifest/page.ts'

const EVENTS = ['pointerover', 'focusin', 'touchstart'] as const

/** The page that a link of this portal leads to. */
function pageOf(target: EventTarget | null, pages: readonly Page[]): Page | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null
  return link ? pages.find(({ path }) => matchPath(path, link.pathname)) : undefined
}

/** Loads the screen that a link leads to as soon as somebody is about to follow it: the pointer, a finger or the focus is on it. */
export function useLoadAhead(pages: readonly Page[]): void {
  const modules = useContext(ModulesContext)
  useEffect(() => {
    const begun = new Set<Page>()
    const load = ({ target }: Event) => {
      const page = pageOf(target, pages)
      if (!page || begun.has(page)) return
      begun.add(page)
      // Whoever follows the link is told what is wrong.
      page.load?.(modules).catch(() => begun.delete(page))
    }
    for (const name of EVENTS) document.addEventListener(name, load, { passive: true })
    return () => {
      for (const name of EVENTS) document.removeEventListener(name, load)
    }
  }, [pages, modules])
}
