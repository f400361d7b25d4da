import { parseArgs } from 'node:util'
import { readClient } from '#server/engine/module.ts'
import type { Engine } from '#server/engine/types.ts'
import { findLedgerFaults } from './check.server.ts'

/** `ledger check [--client N]`: throws a list of faults, if any. */
export async function runLedgerCommand(engine: Engine, args: string[]): Promise<string> {
  const { values } = parseArgs({ args, options: { client: { type: 'string', default: '0' } } })
  const faults = await findLedgerFaults(engine, readClient(values.client))
  if (!faults.length) return 'The ledger is consistent.'
  throw new Error(`The ledger is not consistent.\n${faults.join('\n')}`)
}
