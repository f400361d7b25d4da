import { buildWebModule } from '#web/shell/manifest/module.ts'

export const galleryWebModule = buildWebModule([
  {
    pages: [
      {
        path: '/example/:piece?',
        title: 'Examples',
        allow: 'ROLE_STAFF',
        load: () => import('./gallery.web.tsx'),
      },
    ],
  },
])
