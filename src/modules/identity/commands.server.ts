import type { Command } from '#server/engine/command.ts'

export const commands: readonly Command[] = [
  {
    name: 'user create',
    help: `  user create --username NAME --client 0 --roles ROLE_STAFF,… [--name "…"] [--email …] [--password …]
                              without --password it is asked for, or read from standard input`,
    load: () => import('./passwords/create-user.server.ts'),
  },
  {
    name: 'user reset-factor',
    help: `  user reset-factor --username NAME --client 0
                              take away a second factor that somebody has lost`,
    load: () => import('./second-factor/reset.server.ts'),
  },
]
