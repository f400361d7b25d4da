import { defineDocumentFeature } from '#modules/documents/types/kinds.server.ts'
import { ramsPack } from './rams-pack.ts'

export const ramsPacksFeature = defineDocumentFeature({
  pack: 'safety',
  kinds: [ramsPack],
  seeds: () => import('./demo.server.ts'),
})
