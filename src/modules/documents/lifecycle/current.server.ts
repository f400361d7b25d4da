import type { Condition } from '#server/data/query-values.ts'
import type { DocumentKind } from '../types/kind.ts'

/**
 * What is in force; where nothing is, the latest complete revision, in the place where it would be (safety specification, section
 * 4): never one that a later revision has overtaken. Who sees what is not in force is not decided here.
 */
export function currentOrLatest({ current }: Pick<DocumentKind, 'current'>): Condition {
  const waits = (row: string) => `${row}.state = 'complete' AND NOT ${row}.retired`
  const overtakes = (later: string, row: string) =>
    `${later}.number = ${row}.number AND ${later}.revision > ${row}.revision AND ${later}.state IN ('current', 'replaced')`
  const among = (row: string, of: string) => `${row}.client_id = ${of}.client_id AND ${row}.kind = ${of}.kind`
  const inNumber = `NOT EXISTS (SELECT 1 FROM document d WHERE ${among('d', 't')} AND d.number = t.number
         AND (d.current OR ${waits('d')} AND d.id > t.id OR ${overtakes('d', 't')}))`
  // Another number's stands before it only where it could be in force itself.
  const inClient = `NOT EXISTS (SELECT 1 FROM document d WHERE ${among('d', 't')} AND d.per_client
         AND (d.current OR ${waits('d')} AND d.id > t.id
           AND NOT EXISTS (SELECT 1 FROM document o WHERE ${among('o', 'd')} AND ${overtakes('o', 'd')})))`
  const none = current === 'per client' ? `${inNumber} AND (NOT t.per_client OR ${inClient})` : inNumber
  return { sql: () => `(t.current OR ${waits('t')} AND ${none})` }
}
