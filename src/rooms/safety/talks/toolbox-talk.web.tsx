import type { DocumentKindWeb } from '#rooms/documents/offers.web.tsx'
import { checkedTalk } from './checked.ts'
import { toolboxTalk } from './toolbox-talk.ts'

/** Toolbox talks on the screen. */
export default {
  kind: toolboxTalk,
  words: { approve: 'Accept', revise: 'Replace' },
  check: checkedTalk,
  missing: (slug: string) => `Toolbox Talk ${slug} - Not found`,
  buttons: () => import('./present-button.web.tsx'),
  beside: () => import('./presented-times.web.tsx'),
} satisfies DocumentKindWeb
