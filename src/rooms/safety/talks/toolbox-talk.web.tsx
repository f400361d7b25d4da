import { toolboxTalk } from './toolbox-talk.ts'

/** Toolbox talks on the screen: a `DocumentKindWeb` of the documents room. */
export const talksWeb = {
  kind: toolboxTalk,
  words: { approve: 'Accept', revise: 'Replace' },
  missing: (slug: string) => `Toolbox Talk ${slug} - Not found`,
  buttons: () => import('./present-button.web.tsx'),
  beside: () => import('./presented-times.web.tsx'),
} as const
