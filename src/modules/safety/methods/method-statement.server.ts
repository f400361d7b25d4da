import { documentFeature } from '#modules/documents/types/kinds.server.ts'
import { methodStatement } from './method-statement.ts'

export const methods = documentFeature({
  pack: 'safety',
  kinds: [methodStatement],
  seeds: () => import('./demo.server.ts'),
})
