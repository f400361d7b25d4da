import type { ComponentType } from 'react'
import { type Load, type Page, pageAt } from '#web/shell/faces/page.ts'
import { type DocumentKindWeb, partsOf, type ScreenProps } from '../kinds/kind.web.ts'
import { AUTHORS, READERS } from '../kinds/rights.ts'

/** The list, the way to begin one, the editor and the page to read it on, for one kind of document. */
export function documentPages(web: DocumentKindWeb): Page[] {
  const parts = partsOf(web)
  const { list, update } = web.kind.screens
  const begin = update.replace(/\/update$/, '')
  const one = web.kind.schema.title
  const screen = (path: string, title: string, load: Load<ComponentType<ScreenProps>>): Page => ({
    path,
    title,
    allow: AUTHORS,
    pack: web.kind.resource.pack,
    under: list,
    load: async () => {
      const Screen = (await load()).default
      return { default: () => <Screen parts={parts} /> }
    },
  })
  const form = (path: string, title: string, load: Load<ComponentType<ScreenProps>>): Page => ({
    ...screen(path, title, load),
    writes: true,
  })
  return [
    {
      ...screen(list, web.kind.nav.title, () => import('./list.web.tsx')),
      ...pageAt(web.kind.nav),
    },
    form(`${begin}/create`, `New ${web.kind.noun}`, () => import('../editing/create.web.tsx')),
    form(`${begin}/from-template/:slug`, `New ${web.kind.noun}`, () => import('../editing/create.web.tsx')),
    form(`${begin}/copy/:slug`, `New ${web.kind.noun}`, () => import('../editing/create.web.tsx')),
    form(`${update}/:slug`, one, () => import('../editing/editor.web.tsx')),
    { ...screen(`${list}/view/:slug`, one, () => import('./view.web.tsx')), allow: READERS },
    ...(web.moved ?? []).map(
      ([path, redirect]): Page => ({ path, title: web.kind.nav.title, redirect, allow: READERS }),
    ),
  ]
}
