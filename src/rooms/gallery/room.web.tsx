import type { RoomWeb } from '#web/shell/faces/room.ts'
import { pieceOf } from './pieces.ts'

export const gallery: RoomWeb = {
  pages: [
    {
      path: '/example/:piece?',
      title: 'Examples',
      allow: 'ROLE_STAFF',
      valid: ({ piece }) => piece === undefined || pieceOf(piece) !== undefined,
      load: () => import('./gallery.web.tsx'),
    },
  ],
}
