import type { Command } from '#server/engine/command.ts'

export const commands: readonly Command[] = [
  {
    name: 'import leads',
    help: `  import leads FILE.csv [--client 0] [--owner NAME]… [--dry-run] [--duplicates add] [--map "Company=companyName,…"]
                              add a list of leads; nothing that is there already is added twice`,
    load: () => import('./imports/command.server.ts'),
  },
]
