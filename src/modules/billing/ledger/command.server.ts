import { parseArgs } from 'node:util'
import { readClient } from '#server/engine/module.ts'
import type { Engine } from '#server/engine/types.ts'
import { ledgerFaults } from './check.server.ts'

/** `ledger check [--client N]`: throws a list of faults, if any. */
export async function run(engine: Engine, args: string[]): Promise<string> {
  const { values } = parseArgs({ args, options: { client: { type: 'string', default: '0' } } })
  const faults = await ledgerFaults(engine, readClient(values.client))
  if (!faults.length) return 'The books are in order.'
  throw new Error(`The books are not in order.\n${faults.join('\n')}`)
}
