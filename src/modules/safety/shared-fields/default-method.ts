import type { RecordsReader } from '#modules/documents/types/kind.ts'
import {
  EMPTY_METHOD_STATEMENT,
  type MethodStatement,
  sortLibrarySnapshotsByTitle,
  toLibrarySnapshot,
} from '../statements/method-statement.ts'
import { standardStatement } from '../statements/statement.ts'

/** Returns a new document's method statement with the default statements (safety specification, section 4). */
export const loadDefaultMethodStatement = async (list: RecordsReader): Promise<MethodStatement> => ({
  ...EMPTY_METHOD_STATEMENT,
  defaultStatements: sortLibrarySnapshotsByTitle(
    (await list(standardStatement, { default: true, retired: false })).map(toLibrarySnapshot),
  ),
})
