import { toRowObjects } from '#kernel/forms/rows.ts'
import { htmlToText } from '#kernel/text/runs.ts'
import { toText } from '#kernel/text.ts'
import { type DocumentFacts, defineDocumentFeature } from '#modules/documents/types/kinds.server.ts'
import { parseMethodStatement, statementsInMethodStatement } from '../statements/method-statement.ts'
import { methodStatement } from './method-statement.ts'

interface MethodRow {
  readonly id: number
  readonly sequence?: unknown
  readonly methodStatement?: unknown
}

/** Steps, tasks and statements, each under its title. */
const methodStatementFacts: DocumentFacts = {
  load: async (reader, ids) =>
    (await reader.find(methodStatement.resource, { id: ids })).flatMap((row: MethodRow) => {
      const { id, sequence, methodStatement: given } = row
      const method = parseMethodStatement(given)
      const fromLibrary = [...method.taskSelection, ...statementsInMethodStatement(method)].map(({ title, text }) => ({
        title,
        text: htmlToText(text),
      }))
      return [...toRowObjects(sequence), ...fromLibrary].map(({ title, text }) => ({
        document: id,
        topic: toText(title),
        statement: toText(text),
      }))
    }),
  ask: (topic) => `What does the method statement state for “${topic}”?`,
}

export const methodStatementsFeature = defineDocumentFeature({
  pack: 'safety',
  kinds: [methodStatement],
  facts: { [methodStatement.kind]: methodStatementFacts },
  seeds: () => import('./demo.server.ts'),
})
