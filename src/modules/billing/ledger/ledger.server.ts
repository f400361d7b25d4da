import { problem, violation } from '#kernel/errors.ts'
import { londonDate, ukDay } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { INVOICING_PACK } from '../rights.ts'
import { ledgerEntry, ledgerLock, ledgerTransaction } from './ledger.ts'
import { booksClosedThrough } from './post.server.ts'
import { ledgerRoutes } from './reports.server.ts'

/** A period can be closed once it has ended, and is never reopened: corrections go into the next one. */
const lockBehaviour = behaviour(ledgerLock, {
  beforeSave: async (c) => {
    const { through } = c.values
    if (!through) return undefined
    if (through >= londonDate(c.now).toString())
      throw problem.invalid([violation('through', 'You can close a period once its last day has ended')])
    const closed = await booksClosedThrough(c)
    if (closed !== undefined && through <= closed)
      throw problem.invalid([violation('through', `The books are already closed through ${ukDay(closed)}`)])
    return undefined
  },
})

const ledgerBehaviours = [lockBehaviour]

export const ledger = feature({
  pack: INVOICING_PACK,
  resources: [ledgerTransaction, ledgerEntry, ledgerLock],
  behaviours: ledgerBehaviours,
  routes: ledgerRoutes,
  commands: [
    {
      name: 'ledger check',
      help: '  ledger check [--client 0]   check that all postings sum to zero and balances match their entries',
      load: async () => (await import('./command.server.ts')).runLedgerCommand,
    },
  ],
})
