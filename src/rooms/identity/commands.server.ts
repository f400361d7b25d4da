import type { Command } from '#server/engine/command.ts'

export const commands: readonly Command[] = [
  {
    name: 'user create',
    help: `  user create --username NAME --client 0 --roles ROLE_STAFF,… [--name "…"] [--email …] [--password …]
                              without --password it is asked for, or read from standard input`,
    load: () => import('./passwords/create-user.server.ts'),
  },
]
