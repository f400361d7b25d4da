import { defineDocumentFeature } from '#modules/documents/types/kinds.server.ts'
import { methodStatement } from './method-statement.ts'

export const methodStatementsFeature = defineDocumentFeature({
  pack: 'safety',
  kinds: [methodStatement],
  seeds: () => import('./demo.server.ts'),
})
