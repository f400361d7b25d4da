import { buildWebModule } from '#web/shell/manifest/module.ts'
import { findGalleryComponent } from './pieces.ts'

export const galleryWebModule = buildWebModule([
  {
    pages: [
      {
        path: '/example/:piece?',
        title: 'Examples',
        allow: 'ROLE_STAFF',
        valid: ({ piece }) => piece === undefined || findGalleryComponent(piece) !== undefined,
        load: () => import('./gallery.web.tsx'),
      },
    ],
  },
])
