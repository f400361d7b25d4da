import type { Page } from '#web/shell/page.ts'
import { READERS } from '../documents/kind.ts'
import { toolboxTalk } from './toolbox-talk.ts'

/** Toolbox talks on the screen: a `DocumentKindWeb` of the documents room. */
export const talksWeb = {
  kind: toolboxTalk,
  icon: 'users',
  plural: 'Toolbox talks',
  order: 2,
  words: { approve: 'Accept', revise: 'Replace' },
  missing: (slug: string) => `Toolbox Talk ${slug} - Not found`,
  buttons: () => import('./present-button.web.tsx'),
  beside: () => import('./presented-times.web.tsx'),
} as const

/** The times that talks were presented, and the record of each. */
export const pages: readonly Page[] = [
  {
    path: '/safety/toolbox-talks/presented',
    title: 'Talks presented',
    allow: READERS,
    load: () => import('./presented-list.web.tsx'),
    nav: { area: 'Safety', icon: 'checklist', order: 3 },
  },
  {
    path: '/safety/toolbox-talks/presented/:slug',
    title: 'Talk presented',
    allow: READERS,
    load: () => import('./presented.web.tsx'),
  },
]
