import type { Page } from '#web/shell/pages/page.ts'
import { pieceOf } from './pieces.ts'

export const pages: readonly Page[] = [
  {
    path: '/example/:piece?',
    title: 'Examples',
    allow: 'ROLE_STAFF',
    valid: ({ piece }) => piece === undefined || pieceOf(piece) !== undefined,
    load: () => import('./gallery.web.tsx'),
  },
]
