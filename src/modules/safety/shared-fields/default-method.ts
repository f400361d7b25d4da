import type { ReadList } from '#modules/documents/types/kind.ts'
import { byTitle, type MethodStatement, NOTHING_CHOSEN, snapshot } from '../statements/chosen.ts'
import { standardStatement } from '../statements/statement.ts'

/** Default statements are applied to new documents (safety specification, section 4). */
export const defaultMethod = async (list: ReadList): Promise<MethodStatement> => ({
  ...NOTHING_CHOSEN,
  defaultStatements: byTitle((await list(standardStatement, { default: true, retired: false })).map(snapshot)),
})
