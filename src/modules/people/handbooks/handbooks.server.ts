import { defineDocumentFeature } from '#modules/documents/types/kinds.server.ts'
import { handbook, managementHandbook } from './handbook.ts'

export const handbooks = defineDocumentFeature({
  pack: 'employees',
  kinds: [handbook, managementHandbook],
  seeds: () => import('./demo.server.ts'),
})
