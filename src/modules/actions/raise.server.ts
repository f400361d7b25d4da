import type { ActionInputOf, Resource } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { guard } from '#server/engine/guard.ts'
import type { Context } from '#server/engine/types.ts'
import { correctiveAction, OPEN_ACTION_STATES, type raiseActionSpec } from './corrective-action.ts'

/** Record from which an action is raised, with its title and, if the action concerns only part of it, that part. */
interface ActionSource {
  readonly source: string
  readonly sourceTitle: string
  readonly sourcePart?: string
}

/** Creates a corrective action for a source. Returns its number. */
export async function raiseAction(
  c: Pick<Context, 'create'>,
  input: ActionInputOf<(typeof raiseActionSpec)['input']>,
  source: ActionSource,
): Promise<string> {
  return (await (await c.create(correctiveAction, { ...input, ...source })).saved()).number
}

/** Retires the open corrective actions of a source that is deleted. Completed ones remain, with the source's title. */
export async function retireRaisedActions(
  c: Context,
  source: Pick<ActionSource, 'source'> | Pick<ActionSource, 'sourceTitle'>,
): Promise<void> {
  const module = c.withoutPermissionCheck('retire the corrective actions of a deleted source')
  for (const row of await c.lockAll(correctiveAction, { ...source, retired: false, state: [...OPEN_ACTION_STATES] }))
    await module.change(correctiveAction, row, { retired: true })
}

/** Guard of a source's records: their open corrective actions are retired with them. */
export const retireActionsWith = (source: Resource) =>
  guard(source, { retire: (c, { id }) => retireRaisedActions(c, { source: iriOf(source, id) }) })
