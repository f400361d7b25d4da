import type { Command } from '#server/engine/command.ts'

export const commands: readonly Command[] = [
  {
    name: 'import companies',
    help: `  import companies FILE.csv [--resume]
                              bring the register of companies up to date from the public register's file (unzipped);
                              what was interrupted goes on where it was when the same command is given again`,
    load: () => import('./command.server.ts'),
  },
]
