import type { Command } from '#server/engine/command.ts'

export const commands: readonly Command[] = [
  {
    name: 'verify',
    help: `  verify [--client N]         prove that sealed documents are unchanged, their chain unbroken and the trail guarded`,
    load: () => import('#server/evidence/command.ts'),
  },
]
