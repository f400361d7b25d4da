import { parseArgs } from 'node:util'
import type { StoredColumnValues } from '#kernel/evidence.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { parseClientOption } from '#server/engine/module.ts'
import type { Engine } from '#server/engine/types.ts'
import { ledgerChecks } from './money-evidence.ts'

/** Checks a client's books, and returns a sentence for each inconsistency. */
export async function findLedgerInconsistencies({ db }: Engine, clientId: number): Promise<string[]> {
  const faults = ledgerChecks.map(async ({ text, sentence }) => {
    const found = await db.tx('system', (tx) => tx.rows<StoredColumnValues>(text, [clientId]))
    return found.map(sentence)
  })
  return (await settleAll(...faults)).flat()
}

/** Runs `ledger check [--client N]`. Throws an error that lists the inconsistencies, if there are any. */
export async function runLedgerCommand(engine: Engine, args: string[]): Promise<string> {
  const { values } = parseArgs({ args, options: { client: { type: 'string', default: '0' } } })
  const faults = await findLedgerInconsistencies(engine, parseClientOption(values.client))
  if (!faults.length) return 'The ledger is consistent.'
  throw new Error(`The ledger is not consistent.\n${faults.join('\n')}`)
}
