import { moduleOf } from '#web/shell/manifest/module.ts'
import { pieceOf } from './pieces.ts'

export const gallery = moduleOf([
  {
    pages: [
      {
        path: '/example/:piece?',
        title: 'Examples',
        allow: 'ROLE_STAFF',
        valid: ({ piece }) => piece === undefined || pieceOf(piece) !== undefined,
        load: () => import('./gallery.web.tsx'),
      },
    ],
  },
])
