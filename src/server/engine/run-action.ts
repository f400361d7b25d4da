import { actionAppliesToRecord } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import type { Resource } from '#kernel/resource.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { defaultsOf, type Row } from '#server/data/plan.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import type { ActionResult, AnyBehaviour } from './behaviour.ts'
import { guardChange } from './guard.ts'
import { changeStamps } from './save.ts'
import type { Context } from './types.ts'

/** The write of the action's own record, if it made one, and the answer that it asked for. */
interface ActionOutcome {
  readonly written: PendingWrite | undefined
  readonly answer: ActionResult['answer']
}

/** Runs a declared action on a locked record: in a fitting state, its input valid. */
export async function runAction(
  r: Resource,
  c: Context,
  behaviour: AnyBehaviour | undefined,
  name: string,
  row: Row,
  given: Readonly<Record<string, unknown>>,
  checksPermission = true,
): Promise<ActionOutcome> {
  const spec = r.actions?.[name]
  const run = (
    behaviour?.actions as Record<string, (c: unknown) => Promise<ActionResult> | ActionResult> | undefined
  )?.[name]
  if (!spec || !(run || spec.to)) throw problem.notFound()
  if (checksPermission && !actionAppliesToRecord(c.actor, name, r, row))
    throw problem.forbidden('This is for somebody else to do.')
  const state = r.state && row[r.state]
  if (spec.from && !spec.from.includes(String(state)))
    throw problem.conflict(`This can't be done while it is ${String(state).toLowerCase()}.`, 'wrong_state')
  const input = { ...defaultsOf(spec.input), ...given }
  const violations = fieldViolations(spec.input, input)
  if (violations.length) throw problem.invalid(violations)
  const { set: own, answer }: ActionResult = (await run?.({ ...c, row, input })) ?? {}
  const set = { ...(r.state && spec.to ? { [r.state]: spec.to } : {}), ...own }
  if (!Object.keys(set).length) return { written: undefined, answer }
  await guardChange(r, c, behaviour, row, set)
  const changes = { ...set, ...changeStamps(r, Object.keys(set), c.actor, c.now) }
  c.work.locked.change(r, row, changes)
  return { written: c.work.update(r, row, changes, name), answer }
}
