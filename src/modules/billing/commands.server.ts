import type { Command } from '#server/engine/command.ts'

export const commands: readonly Command[] = [
  {
    name: 'ledger check',
    help: `  ledger check [--client 0]   prove that all that was posted comes to nil, and balances to what they are made of`,
    load: () => import('./ledger/command.server.ts'),
  },
]
