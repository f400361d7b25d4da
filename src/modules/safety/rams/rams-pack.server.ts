import { documentFeature } from '#modules/documents/types/kinds.server.ts'
import { ramsPack } from './rams-pack.ts'

export const rams = documentFeature({
  pack: 'safety',
  kinds: [ramsPack],
  seeds: () => import('./demo.server.ts'),
})
