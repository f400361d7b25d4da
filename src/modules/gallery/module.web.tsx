import { buildWebModule } from '#web/shell/manifest/module.ts'
import { findGalleryPiece } from './pieces.ts'

export const gallery = buildWebModule([
  {
    pages: [
      {
        path: '/example/:piece?',
        title: 'Examples',
        allow: 'ROLE_STAFF',
        valid: ({ piece }) => piece === undefined || findGalleryPiece(piece) !== undefined,
        load: () => import('./gallery.web.tsx'),
      },
    ],
  },
])
